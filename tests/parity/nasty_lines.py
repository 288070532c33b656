"""Made-up lines as nasty as lines get, and random edits of them: every kind of white space, entities, numbers with stops
and dashes, several scripts in both directions, characters whose lower case is special, emoji, control characters,
nothing at all. Every function takes the random.Random that decides it."""

WHITE_SPACE = [chr(c) for c in (*range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B),
                                0x2028, 0x2029, 0x202F, 0x205F, 0x3000)]
NEARLY_WHITE_SPACE = [chr(c) for c in (0x180E, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0xAD, 0x2800, 0x3164)]
WORDS = """the The THE a cat Cat sat on mat dog and und die Der Straße STRASSE Ärger ÄRGER naïve I ı
İstanbul İ ẞ ß Ǆ ǅ ŉ ΟΔΥΣΣΕΥΣ ΣΑΣ Σ ΑΣ ΑΣ. Σ' Α.Σ Α'Σ' ΑΣ́ ΑΣᾼ ᾼΣ aΣ\u0345 Σ\u00ADΑ ὈΔΥΣΣΕΎΣ привет МИР Їжак
שלום עולם مرحبا العالم हिन्दी ไทย ᲐᲑᲒ აბგ ꭰᎠᏰ Ꞌ Ⓐ Ⅷ 𐐀𐐁 𐲀 𞤀 𝐀𝟘 Kelvin K Å Ω 東京 北京 你好，世界。 𠀀𠀁 ｆｕｌｌ ＦＵＬＬ 한국어 👍
👨‍👩‍👧 🇩🇪 e\u0301 É""".split()
MARKED = """don't it's 'quoted' "said" (hi) [x] {y} <skipped> a<skipped>b &quot;no&quot; &amp; &lt;b&gt;
&amp;lt; &amp;quot; &amp;amp; &apos; & &; AT&T a/b and/or @home #1 50% $5 5€ ... .. . , ,, ; : ! ? ?! -- -
-5 5- 3-4 10-20-30 -x x- 1.5 1,000.00 1. .5 5, ,5 1,a a,1 a.b U.S. e.g., 3.14.15 ٣.٤ ٣-٤ 1,٢ x=1,y=2 ~ ` ^ _
| \\ *a* +1 “curly” ‘single’ „unten“ «fr» – — … · http://a.b/c?d=e&f=1 me@x.org 12:30 1/2 ½ ².5 ，。！？ a،b ؟""".split()
CONTROLS = ["\x00", "\x01", "\x7f", "\x1b[0m", "\ufffd", "\U0010ffff", "\ue000", "\u202e", "\u0300"]


def separator(dice):
    draw = dice.random()
    if draw < 0.86:
        return " "
    if draw < 0.94:
        return dice.choice(WHITE_SPACE) * dice.randint(1, 2)
    return "" if draw < 0.97 else dice.choice(NEARLY_WHITE_SPACE)


def word(dice):
    draw = dice.random()
    if draw < 0.6:
        return dice.choice(WORDS)
    if draw < 0.9:
        return dice.choice(MARKED)
    if draw < 0.94:
        return dice.choice(CONTROLS)
    if draw < 0.96:
        return dice.choice(["-\n", "\n", "a-\nb", "\r"])
    return "".join(dice.choice("0123456789.,-ab&;'") for _ in range(dice.randint(1, 8)))


def line(dice):
    draw = dice.random()
    if draw < 0.03:
        return ""
    if draw < 0.05:
        return dice.choice(WHITE_SPACE) * 2
    words = dice.choices([0, 1, 2, 3, 4, 8, 14], [1, 2, 2, 3, 4, 10, 5])[0]
    text = "".join(separator(dice) + word(dice) for _ in range(words))
    return text.lstrip(" ") + dice.choice(["", "", "", ".", " .", " ", "\r", "\u3000", "\u200b"])


def edited(dice, text, rate):
    if dice.random() < 0.05:
        return line(dice)
    words = text.split(" ")
    result = []
    for old in words:
        draw = dice.random() / rate
        if draw < 0.25:
            continue
        if draw < 0.5:
            result.append(word(dice))
        elif draw < 0.7:
            result.append(old.swapcase())
        elif draw < 0.85:
            result += [old, old]
        elif draw < 1 and old:
            result.append(old[1:] + old[0])
        else:
            result.append(old)
    if len(result) > 2 and dice.random() < rate:
        at = dice.randrange(len(result) - 1)
        result[at], result[at + 1] = result[at + 1], result[at]
    return " ".join(result)
