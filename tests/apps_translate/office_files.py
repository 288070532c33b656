"""Small documents in DOCX, ODT and EPUB, and a check of their translations with other readers of zip files and XML.

Usage: office_files.py make FOLDER      writes sample.docx, sample.odt and sample.epub
       office_files.py check OLD NEW    compares a document with its translation, and prints the texts of both
"""

import pathlib
import sys
import xml.etree.ElementTree as ET
import zipfile

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
OFFICE = "urn:oasis:names:tc:opendocument:xmlns:office:1.0"
TEXT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
PICTURE = bytes(range(256)) * 8

DOCX = {
    "[Content_Types].xml": f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
<Override PartName="/word/footnotes.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"/>
</Types>""",
    "_rels/.rels": """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>
</Relationships>""",
    "word/_rels/document.xml.rels": """<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes" Target="footnotes.xml"/>
<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://example.org/" TargetMode="External"/>
</Relationships>""",
    "word/document.xml": f"""<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<w:document xmlns:w="{W}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><w:body>
<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr><w:r><w:t>The dri</w:t></w:r><w:proofErr w:type="spellStart"/><w:r w:rsidR="1"><w:t xml:space="preserve">ver likes </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bread \u0416\u0416</w:t></w:r><w:r><w:t>.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>
<w:p><w:bookmarkStart w:id="0" w:name="a"/><w:r><w:t>Nobody \u0416</w:t><w:tab/><w:t>sees </w:t></w:r><w:hyperlink r:id="rId2"><w:r><w:rPr><w:u/></w:rPr><w:t>bread</w:t></w:r></w:hyperlink><w:bookmarkEnd w:id="0"/><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>
<w:p><w:del w:id="3" w:author="a"><w:r><w:delText>Nobody.</w:delText></w:r></w:del></w:p><w:sectPr/></w:body></w:document>""",
    "word/footnotes.xml": f"""<w:footnotes xmlns:w="{W}"><w:footnote w:id="2"><w:p><w:r><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> The \u0416 driver.</w:t></w:r></w:p></w:footnote></w:footnotes>""",
    "word/media/image1.png": PICTURE,
}

ODT = {
    "mimetype": "application/vnd.oasis.opendocument.text",
    "content.xml": f"""<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="{OFFICE}" xmlns:text="{TEXT}" office:version="1.2"><office:body><office:text>
<text:tracked-changes><text:changed-region text:id="c1"><text:deletion><text:p>Nobody.</text:p></text:deletion></text:changed-region></text:tracked-changes>
<text:h text:outline-level="1">The dri<text:span text:style-name="T1">ver likes</text:span> bread \u0416.</text:h>
<text:p>Nobody<text:s text:c="3"/>\u0416 sees <text:span text:style-name="T2">bread</text:span><text:note text:id="n1" text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>The \u0416 driver.</text:p></text:note-body></text:note>.<text:tab/>The driver<text:line-break/>bread <text:page-number>3</text:page-number></text:p>
</office:text></office:body></office:document-content>""",
    "styles.xml": f"""<office:document-styles xmlns:office="{OFFICE}" xmlns:text="{TEXT}"><office:master-styles><text:p>Nobody likes \u0416.</text:p></office:master-styles></office:document-styles>""",
    "Pictures/1.png": PICTURE,
    "META-INF/manifest.xml": """<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/><manifest:file-entry manifest:full-path="styles.xml" manifest:media-type="text/xml"/></manifest:manifest>""",
}

EPUB = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": """<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>""",
    "OEBPS/book.opf": """<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">urn:x</dc:identifier><dc:title>The driver \u0416</dc:title><dc:creator>Nobody</dc:creator><dc:language>en</dc:language></metadata><manifest><item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="c" href="text/chapter%201.xhtml" media-type="application/xhtml+xml"/><item id="t" href="toc.ncx" media-type="application/x-dtbncx+xml"/><item id="p" href="p.png" media-type="image/png"/></manifest><spine toc="t"><itemref idref="c"/></spine></package>""",
    "OEBPS/nav.xhtml": """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/></head><body><nav epub:type="toc"><ol><li><a href="text/chapter%201.xhtml">The driver \u0416</a></li></ol></nav></body></html>""",
    "OEBPS/text/chapter 1.xhtml": """<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><head><title>The driver</title><script src="x.js"/><style>p { margin: 0 }</style></head>
<body><h1 id="a">The driver \u0416</h1><p>Nobody <em>likes</em> bread,<br/>and <a id="x"/>nobody\u00a0sees \u0416 <img src="../p.png" alt="bread"/>.</p></body></html>""",
    "OEBPS/toc.ncx": """<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><docTitle><text>The driver \u0416</text></docTitle><navMap><navPoint id="a" playOrder="1"><navLabel><text>Nobody \u0416</text></navLabel><content src="text/chapter%201.xhtml"/></navPoint></navMap></ncx>""",
    "OEBPS/p.png": PICTURE,
}


def make(folder):
    for name, files in (("sample.docx", DOCX), ("sample.odt", ODT), ("sample.epub", EPUB)):
        with zipfile.ZipFile(folder / name, "w") as archive:
            for file, content in files.items():
                stored = file == "mimetype" or file.endswith(".png")
                info = zipfile.ZipInfo(file, (2020, 2, 3, 4, 5, 6))
                info.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
                archive.writestr(info, content)


RUNS = {f"{{{W}}}{name}" for name in ("r", "rPr", "b", "u", "t", "proofErr")}
SPACES = {f"{{{TEXT}}}s"}


def elements(root):
    """The elements in their order, without runs, which may be divided in another way."""
    return [(element.tag, tuple(element.attrib.items())) for element in root.iter()
            if element.tag not in RUNS | SPACES]


def texts(root):
    return "".join(root.itertext())


def check(old_path, new_path):
    old, new = zipfile.ZipFile(old_path), zipfile.ZipFile(new_path)
    assert new.testzip() is None
    assert old.namelist() == new.namelist(), (old.namelist(), new.namelist())
    changed = []
    for before, after in zip(old.infolist(), new.infolist()):
        assert before.compress_type == after.compress_type, after
        assert before.date_time == after.date_time, after
        if old.read(before) == new.read(after):
            continue
        trees = [ET.fromstring(archive.read(before.filename)) for archive in (old, new)]
        assert sorted(elements(trees[0])) == sorted(elements(trees[1])), before.filename
        assert texts(trees[0]) != texts(trees[1]), before.filename
        changed.append(before.filename)
    if "mimetype" in new.namelist():
        first = new.infolist()[0]
        assert first.filename == "mimetype" and not first.extra and first.compress_type == zipfile.ZIP_STORED
        assert pathlib.Path(new_path).read_bytes()[30:38] == b"mimetype"
    print(" ".join(sorted(changed)))


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(pathlib.Path(sys.argv[2]))
    else:
        check(sys.argv[2], sys.argv[3])
