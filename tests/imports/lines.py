"""Short sentences for small models."""

SOURCE = [
    "the old man sees a green book", "my sister carries bread", "a dog runs in the snow", "two men play football",
    "the girl reads a letter from her brother", "children sing under the tall tree", "the train leaves at noon",
    "she drinks cold water", "we walk along the river every day", "the cat sleeps on the warm stone",
]
TARGET = [
    "der alte mann sieht ein grünes buch", "meine schwester trägt brot", "ein hund läuft im schnee",
    "zwei männer spielen fußball", "das mädchen liest einen brief von ihrem bruder",
    "kinder singen unter dem hohen baum", "der zug fährt am mittag", "sie trinkt kaltes wasser",
    "wir gehen jeden tag am fluss entlang", "die katze schläft auf dem warmen stein",
]
# Characters that only the other side knows, that nobody knows, and runs of them.
LINES = SOURCE + ["the ßüö book", "ä man", "жж the", "schwester", "  two   spaces ", "a, b; c!", "ÄÖ", "bread ß ß bread"]
