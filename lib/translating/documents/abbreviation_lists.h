#pragma once
#include <array>
#include <string_view>

/// Abbreviations that ICU's lists do not have, and the first words of sentences, for documents/abbreviations.h.
namespace ventris::documents {

/// What is known of a language. The entries of a list are separated by "|".
struct LanguageLists {
  std::string_view language;
  std::string_view inside;   ///< abbreviations that are not the last word of a sentence
  std::string_view either;   ///< abbreviations that can be the last word of a sentence
  std::string_view words;    ///< entries of ICU's list that are ordinary words, too, and do not count
  std::string_view openers;  ///< words with a capital letter that, after a full stop, begin a sentence. They are not
                             ///< names, and not the next word of a name such as "U.S. Army".
};

/// Abbreviations before a number, in any language: "No. 5", "S. 12".
inline constexpr std::string_view kBeforeNumbers =
    "no.|No.|nos.|Nos.|nr.|Nr.|fig.|Fig.|figs.|Figs.|vol.|Vol.|vols.|ch.|Ch.|chap.|Chap.|sec.|Sec.|sect.|art.|Art.|"
    "arts.|eq.|Eq.|ex.|p.|P.|pp.|par.|ver.|v.|S.|Abb.|Abs.|Bd.|Kap.|Tab.|Ziff.|Anm.|núm.|Núm.|n.º|pág.|Pág.|págs.|cap.|"
    "Cap.|caps.|n.|nº.|num.|pag.|Pag.|pagg.|стр.|Стр.|рис.|Рис.|табл.|Табл.|гл.|ст.|п.|д.|кв.|č.|Č.|čís.|str.|Str.|obr."
    "|"
    "Obr.|tab.|kap.|odst.|§.|सं.|ca.|approx.|est.|c.|tel.|Tel.|max.|min.|Max.|Min.|Jan.|Feb.|Mar.|Apr.|Jun.|Jul.|Aug.|"
    "Sep.|Sept.|Oct.|Nov.|Dec.|rev.|Rev.|avg.|Avg.|appr.|incl.|excl.|eg.|ie.|aka.|vs.|ll.|sp.|eqs.|Eqs.|Prop.|Cor.|"
    "Def.|Alg.|Ref.|Refs.|ref.|refs.|pt.|Pt.|ed.|Ed.|ext.|Ext.|Apt.|Rm.|Bldg.|Ste.|Op.|op.|Ep.|pop.|diam.|inkl.|exkl.|"
    "Aufl.|Ausg.|Jg.|Jahrg.|Hausnr.|Rn.|Rdnr.|Randnr.|Az.|Vers.|resp.|env.|éd.|aprox.|cca.";

/// Units, which can be the last word of a sentence in any language.
inline constexpr std::string_view kUnits = "km.|kg.|cm.|mm.|lb.|lbs.|hr.|hrs.|ft.|mph.|a.m.|p.m.";

/// Abbreviations that are no words in any of these languages, for texts whose language is not known.
inline constexpr std::string_view kNoWords =
    "Prof.|Ing.|ing.|Sra.|Srta.|Sres.|Dra.|Dña.|Profa.|Mme.|Mlle.|Dott.|dott.|Sig.|sig.|Sig.ra|Nr.|Abb.|inkl.|bspw.|"
    "evtl.|aprox.|"
    "approx.|např.|проф.|ул.|им.|см.|стр.|рис.|डॉ.|प्रो.|श्री.|EE.";

/// Words after which a capital letter before them was no initial: "plan B. It".
inline constexpr std::string_view kAfterLetters = "The|It|She|They|We|This|That|There|But|You";

inline constexpr std::array kLanguageLists{
    LanguageLists{
        "en", "Gen.|Sen.|Gov.|Hon.|Cmdr.|Supt.|Messrs.|cf.|viz.|approx.|ca.|e.g.|i.e.|Messrs.|Pres.|Prof.|Assoc.",
        "a.m.|p.m.|A.M.|P.M.|etc.|al.|Inc.|Ltd.|Corp.|Co.|Bros.|Jr.|Sr.|Esq.|Ave.|Blvd.|Rd.|Hwy.|B.C.|A.D.|B.C.E.|C.E.|"
        "I.|dept.|Dept.|vol.|ed.|St.",
        "Act.|All.|As.|By.|Card.|DC.|Do.|Go.|Hat.|In.|Is.|Jam.|Job.|Joe.|Link.|Long.|Mart.|OK.|Ok.|On.|Or.|PC.|Pro.|So."
        "|"
        "To.|Up.|Def.|Id.",
        "The|A|An|This|That|These|Those|He|She|It|We|They|You|I|I'm|I've|I'll|I'd|It's|He's|She's|That's|There's|There|"
        "Here|But|And|So|Then|However|If|When|While|After|Before|Although|Because|Since|What|Who|Why|How|Where|Which|"
        "My|"
        "Your|His|Her|Its|Our|Their|Yes|Not|Now|Please|Do|Did|Does|Don't|Is|Are|Was|Were|Can|Could|Will|Would|Should|"
        "Have|Has|Had|Let's|Meanwhile|Finally|Later|Nobody|Everyone|Someone|Perhaps|Maybe|In|On|At|For|From|With|As|To|"
        "Also"},
    LanguageLists{
        "de",
        "bzgl.|einschl.|ausschl.|bspw.|ca.|evtl.|exkl.|inkl.|gem.|Hrsg.|Hr.|Fr.|Prof.|Dipl.|Ing.|Mag.|St.|Tel.|engl.|"
        "lat.|griech.|allg.|ehem.|insb.|insbes.|max.|min.|mind.|sog.|ung.|urspr.|zit.|geb.|gest.|Nr.|Abb.|Bd.|Art.|"
        "z.B.|d.h.|u.a.|o.ä.|i.d.R.",
        "usw.|etc.|u.s.w.|n. Chr.|v. "
        "Chr.|n.Chr.|v.Chr.|Std.|Min.|Sek.|Mio.|Mrd.|Tsd.|Jh.|Jhd.|GmbH.|Co.|Inc.|Ltd.|Str.|"
        "o. Ä.|u. Ä.",
        "App.|Art.|Max.|Port.|So.|Test.",
        "Der|Die|Das|Dem|Den|Ein|Eine|Einen|Einer|Er|Sie|Es|Wir|Ich|Du|Ihr|Man|Dann|Aber|Und|Doch|Danach|Dort|Hier|Da|"
        "Dies|Diese|Dieser|Dieses|Auch|Als|Wenn|Weil|Nachdem|Obwohl|Seine|Sein|Ihre|Mein|Meine|Unser|Unsere|Was|Wer|"
        "Wie|"
        "Warum|Wo|Wann|Nun|Jetzt|Deshalb|Trotzdem|Außerdem|Zudem|Später|Bitte|Niemand|Alle|Im|In|Am|An|Auf|Bei|Mit|"
        "Nach|"
        "Von|Vor|Zu|Für|Seit|Heute|Morgen|Gestern"},
    LanguageLists{
        "es",
        "Sr.|Sra.|Srta.|Sres.|Dr.|Dra.|Dña.|Prof.|Profa.|Lic.|Ing.|Arq.|Gral.|Cap.|Tte.|Av.|Avda.|EE.|aprox.|p. ej.|"
        "ej.|Sto.|Sta.|Fdo.|tel.|Mons.",
        "etc.|a. m.|p. m.|a.m.|p.m.|EE. UU.|EE.UU.|Ud.|Uds.|Vd.|Vds.|S.A.|S. A.|S.L.|a. C.|d. C.|a.C.|d.C.|Cía.|Inc.|"
        "Ltd.|Ltda.|UU.",
        "All.|Bien.|Da.|Kit.|Korn.|Rol.|Sol.|col.|fund.|mar.",
        "El|La|Los|Las|Un|Una|Unos|Unas|Él|Ella|Ellos|Ellas|Yo|Tú|Nosotros|Usted|Ustedes|Pero|Y|Entonces|Luego|Después|"
        "Este|Esta|Estos|Estas|Ese|Esa|Eso|Esto|No|Sí|En|Con|Por|Para|Cuando|Si|Como|Su|Sus|Mi|Mis|Se|Me|Lo|Le|Nos|Hay|"
        "Es|Era|Al|Hoy|Ayer|Además|También|Qué|Quién|Cómo|Dónde|Nadie|Todos"},
    LanguageLists{
        "fr",
        "av.|apr.|ap.|Mme.|Mlle.|Mgr.|MM.|Dr.|Pr.|St.|Ste.|env.|boul.|bd.|éd.|cf.|p. "
        "ex.|ex.|tél.|hab.|c.-à-d.|art.|chap.|vol.",
        "etc.|J.-C.|J. -C.|apr. J.-C.|av. J.-C.|S.A.|Inc.|Ltd.|Cie.|Co.", "All.|Mart.|Var.|mer.",
        "Le|La|Les|L|Un|Une|Des|Il|Elle|Ils|Elles|Je|J|Tu|Nous|Vous|On|Mais|Et|Puis|Alors|Ensuite|Ce|Cet|Cette|Ces|C|"
        "Cela|Ça|Dans|En|Pour|Avec|Quand|Si|Comme|Son|Sa|Ses|Mon|Ma|Mes|Leur|Leurs|Notre|Nos|Au|Aux|Qui|Que|Où|"
        "Pourquoi|"
        "Comment|Après|Aujourd|Hier|Personne|Tous|Toutes|Est|Y"},
    LanguageLists{
        "it",
        "Sig.|Sig.ra|Sig.na|Sigg.|sig.|Dott.|Dott.ssa|dott.ssa|Dr.|Prof.|prof.|Prof.ssa|prof.ssa|Ing.|ing.|Avv.|"
        "avv.|Geom.|geom.|Arch.|arch.|Rag.|rag.|On.|on.|Egr.|Gent.ma|es.|ad es.|cfr.|Cfr.|ca.|tel.|art.|pag.|cap.|vol.|"
        "n.|fig.|S.|v.le|p.za|C.so",
        "ecc.|etc.|S.p.A.|S.r.l.|a.C.|d.C.|a. C.|d. C.|Inc.|Ltd.|sec.|min.", "All.|int.|ver.",
        "Il|Lo|La|I|Gli|Le|L|Un|Uno|Una|Lui|Lei|Loro|Io|Tu|Noi|Voi|Ma|E|Poi|Allora|Questo|Questa|Questi|Queste|Quello|"
        "Quella|Non|Si|In|Con|Per|Quando|Se|Come|Suo|Sua|Mio|Mia|È|Era|C|Al|Alla|Nel|Nella|Dopo|Oggi|Ieri|Chi|Che|Cosa|"
        "Dove|Perché|Anche|Nessuno|Tutti|Ha|Ho"},
    LanguageLists{
        "pt",
        "Sr.|Sra.|Srs.|Sras.|Srta.|Dr.|Dra.|Prof.|Profa.|Eng.|Exmo.|Exma.|Av.|Pe.|Gen.|Cel.|Cap.|aprox.|p. ex.|ex.|"
        "tel.|art.|pág.|núm.|n.º",
        "etc.|a.m.|p.m.|S.A.|Ltda.|Cia.|a.C.|d.C.|a. C.|d. C.|Inc.|Ltd.|V. Exa.|Exa.|E.U.A.|EUA.",
        "mar.|dez.|com.|sup.|set.|out.|sec.",
        "O|A|Os|As|Um|Uma|Ele|Ela|Eles|Elas|Eu|Nós|Você|Vocês|Mas|E|Então|Depois|Este|Esta|Isso|Isto|Não|Em|No|Na|Nos|"
        "Nas|Com|Por|Para|Quando|Se|Como|Seu|Sua|Meu|Minha|Há|É|Era|Ao|Hoje|Ontem|Também|Quem|Que|Onde|Ninguém|Todos"},
    LanguageLists{
        "ru",
        "ул.|пр.|просп.|пл.|пер.|наб.|обл.|р-н.|им.|проф.|акад.|доц.|тов.|гр.|гос.|св.|см.|ср.|напр.|т.|ок.|род.|"
        "ум.|англ.|нем.|лат.|рис.|стр.|табл.|гл.|ред.|изд.|пос.|дер.|респ.|мин.|г-н.|г-жа.|и. о.|т. е.|т. к.|т. "
        "н.|т.е.|"
        "т.к.|т.н.|янв.|февр.|авг.|сент.|окт.|нояб.|дек.|тел.|бул.|ст.|кв.|отд.",
        "т. д.|т. п.|т.д.|т.п.|др.|пр.|г.|гг.|в.|вв.|н. э.|н.э.|до н. э.|руб.|коп.|тыс.|млн.|млрд.|чел.|кг.|км.|см.|м.|"
        "ч.|мин.|сек.|долл.",
        "",
        "Он|Она|Оно|Они|Я|Ты|Мы|Вы|Но|А|И|Это|Этот|Эта|Эти|Тот|Та|Те|Затем|Потом|Однако|В|Во|На|С|К|По|Из|Когда|Если|"
        "Как|Его|Её|Ее|Их|Мой|Моя|Наш|Там|Тут|Здесь|Что|Кто|Где|Почему|Не|Да|Нет|Сегодня|Вчера|Теперь|Тогда|После|Для|"
        "У|"
        "От|Также|Все|Всё"},
    LanguageLists{
        "cs",
        "např.|tzv.|tzn.|tj.|resp.|popř.|příp.|Ing.|ing.|Mgr.|Bc.|MUDr.|JUDr.|PhDr.|RNDr.|PaedDr.|doc.|Doc.|prof.|"
        "Prof.|sv.|ul.|nám.|tř.|č.|čís.|str.|obr.|tab.|kap.|odst.|písm.|roč.|př.|cca.|angl.|něm.|lat.|srov.|viz.|tel.|"
        "gen.|kpt.|plk.|p.|pí.|sl.|min.|max.|stol.|r.",
        "apod.|atd.|aj.|hod.|min.|sek.|tis.|mil.|mld.|n. l.|Kč.|a.s.|s.r.o.|a. s.|s. r. o.|stol.", "",
        "On|Ona|Ono|Oni|My|Vy|Já|Ty|Ale|A|Pak|Potom|Poté|To|Ten|Ta|Tato|Tento|Toto|Tyto|Když|Pokud|Jestli|V|Ve|Na|S|K|"
        "Po|Z|Jeho|Její|Jejich|Je|Byl|Byla|Bylo|Co|Kdo|Kde|Proč|Jak|Ne|Ano|Dnes|Včera|Také|Nikdo|Všichni|Jsem|Jsme|Do|"
        "Od|Pro|Při|Za|Ani"},
    LanguageLists{"hi", "डॉ.|डा.|प्रो.|श्री.|श्रीमती.|सुश्री.|कु.|पं.|रु.|सं.|मो.|कि.मी.|मि.|ई.|एस.|के.|आर.|जे.", "", "", ""},
    LanguageLists{"ar", "د.|أ.|م.|ص.|ج.|ت.|هـ.|ق.م.", "إلخ.|الخ.", "", ""},
};

}  // namespace ventris::documents
