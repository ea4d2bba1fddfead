import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { PDF } from '@libpdf/core'
import { strToU8, zipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TestApp } from '#test/harness/app.ts'
import { uploadBytes } from '#test/harness/files.ts'
import type { Person } from '#test/harness/people.ts'
import { sharedApp } from '#test/harness/shared-app.ts'

let app: TestApp
let ana: Person
beforeAll(async () => {
  app = await sharedApp()
  ana = await app.user()
})

/** The text of a real upload of these bytes. */
const read = async (bytes: Uint8Array | string, name = 'upload') => {
  const { body } = await uploadBytes(ana, bytes, { name, query: 'process_in_background=false' })
  const text = await app.db.selectFrom('fileTexts').selectAll().where('fileId', '=', body.id).executeTakeFirst()
  const { content = '', marks = [] } = text ?? {}
  /** The page and heading in force where the words are. */
  const at = (words: string) => {
    const offset = content.indexOf(words)
    const { at: _, ...under } = marks.findLast((mark) => mark.at <= offset) ?? { at: 0 }
    return offset === -1 ? undefined : under
  }
  return { status: body.data.status, error: body.data.error, content, at }
}

const zip = (entries: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(entries).map(([name, held]) => [name, typeof held === 'string' ? strToU8(held) : held]),
    ),
  )

describe('the text of a file', () => {
  it('of a PDF comes with pages and headings', async () => {
    const pdf = PDF.create()
    for (const [title, text] of [
      ['Harbour rules', 'Ships must show a light after sunset.'],
      ['Fees', 'A berth costs nine crowns a night.'],
    ] as const) {
      const page = pdf.addPage({ size: 'a4' })
      page.drawText(title, { x: 50, y: 700, size: 24 })
      page.drawText(text, { x: 50, y: 650, size: 11 })
    }
    const { at, status } = await read(await pdf.save(), 'rules.pdf')
    expect(status).toBe('completed')
    expect(at('show a light')).toEqual({ page: 1, heading: 'Harbour rules' })
    expect(at('nine crowns')).toMatchObject({ page: 2, heading: expect.stringContaining('Fees') })
  })

  it('of a scanned PDF is missing, and the error says so', async () => {
    const pdf = PDF.create()
    pdf.addPage({ size: 'a4' })
    expect(await read(await pdf.save())).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('only images'),
    })
  })

  it('of a Word document keeps headings and tables, and leaves out what was deleted', async () => {
    const paragraph = (text: string, style = '') =>
      `<w:p>${style && `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`
    const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`
    const document = `<?xml version="1.0"?><w:document><w:body>${paragraph('Manual', 'T')}${paragraph('Repairs', 'H2')}
      ${paragraph('Grease the wheel &amp; rest.')}<w:p><w:del><w:r><w:delText>Removed words</w:delText></w:r></w:del></w:p>
      <w:tbl><w:tr>${cell('Part')}${cell('Price')}</w:tr><w:tr>${cell('Wheel')}${cell('12')}</w:tr></w:tbl></w:body></w:document>`
    const styles = `<w:styles><w:style w:styleId="T"><w:name w:val="heading 1"/></w:style>
      <w:style w:styleId="H2"><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>`
    const { content, at } = await read(zip({ 'word/document.xml': document, 'word/styles.xml': styles }), 'any.name')
    expect(at('Grease the wheel & rest.')).toEqual({ heading: 'Manual > Repairs' })
    expect(content).toContain('Part | Price\nWheel | 12')
    expect(content).not.toContain('Removed')
  })

  it('of a presentation comes slide by slide, with notes', async () => {
    const rels = (...pairs: [string, string][]) =>
      `<Relationships>${pairs.map(([id, target]) => `<Relationship Id="${id}" Target="${target}"/>`).join('')}</Relationships>`
    const shape = (text: string, type = '') =>
      `<p:sp><p:nvSpPr><p:ph type="${type}"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
    const { at } = await read(
      zip({
        'ppt/presentation.xml':
          '<p:presentation><p:sldIdLst><p:sldId r:id="b"/><p:sldId r:id="a"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels': rels(['a', 'slides/slide1.xml'], ['b', 'slides/slide2.xml']),
        'ppt/slides/slide1.xml': `<p:sld>${shape('Second', 'title')}${shape('the closing words')}</p:sld>`,
        'ppt/slides/slide2.xml': `<p:sld>${shape('First', 'ctrTitle')}${shape('the opening words')}</p:sld>`,
        'ppt/slides/_rels/slide2.xml.rels': rels(['n', '../notesSlides/notesSlide1.xml']),
        'ppt/notesSlides/notesSlide1.xml': `<p:notes>${shape('say hello')}</p:notes>`,
      }),
    )
    expect(at('the opening words')).toEqual({ page: 1, heading: 'First' })
    expect(at('say hello')).toEqual({ page: 1, heading: 'First' })
    expect(at('the closing words')).toEqual({ page: 2, heading: 'Second' })
  })

  it('of a spreadsheet has rows under their header, sheet names and dates', async () => {
    const { content, at } = await read(
      zip({
        'xl/workbook.xml': '<workbook><sheets><sheet name="Orders" r:id="r1"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="r1" Target="/xl/worksheets/sheet1.xml"/></Relationships>',
        'xl/sharedStrings.xml': '<sst><si><t>Item</t></si><si><r><t>Due </t></r><r><t>date</t></r></si></sst>',
        'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
        'xl/worksheets/sheet1.xml': `<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>
          <row><c r="A2" t="inlineStr"><is><t>Rope</t></is></c><c r="B2"><v>7</v></c><c r="C2" s="1"><v>46000</v></c></row></sheetData></worksheet>`,
      }),
    )
    expect(content).toBe('Item |  | Due date\nRope | 7 | 2025-12-09')
    expect(at('Rope')).toEqual({ page: 1, heading: 'Orders' })
  })

  it('of an OpenDocument text, sheet or presentation', async () => {
    const content = `<office:document-content><office:body><text:h text:outline-level="1">Log</text:h>
      <text:p>Wind<text:s text:c="2"/>north</text:p><table:table table:name="T"><table:table-row>
      <table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>b</text:p></table:table-cell>
      </table:table-row></table:table><draw:page/><draw:page><text:p>second slide</text:p></draw:page></office:body></office:document-content>`
    const { content: text, at } = await read(
      zip({ mimetype: 'application/vnd.oasis.opendocument.text', 'content.xml': content }),
    )
    expect(at('Wind  north')).toEqual({ heading: 'Log' })
    expect(text).toContain('a | b | b')
    expect(at('second slide')).toMatchObject({ page: 2 })
  })

  it('of a book follows its spine', async () => {
    const { content, at } = await read(
      zip({
        mimetype: 'application/epub+zip',
        'META-INF/container.xml':
          '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        'OEBPS/book.opf': `<package><manifest><item id="one" href="text/1.xhtml"/><item id="two" href="text/2.xhtml"/></manifest>
          <spine><itemref idref="two"/><itemref idref="one"/></spine></package>`,
        'OEBPS/text/1.xhtml': '<html><body><h1>The end</h1><p>They slept.</p></body></html>',
        'OEBPS/text/2.xhtml': '<html><body><h1>The start</h1><p>They woke.</p></body></html>',
      }),
    )
    expect(content.indexOf('They woke.')).toBeLessThan(content.indexOf('They slept.'))
    expect(at('They slept.')).toEqual({ heading: 'The end' })
  })

  it('of a web page has headings and tables, and no scripts', async () => {
    const { content, at } =
      await read(`<!doctype html><title>Page</title><style>p{}</style><h1>Tides</h1><nav>Home</nav>
      <h2>High</h2><p>At six&nbsp;<b>every</b> day.</p><script>var secret</script>
      <table><tr><th>Day</th><th>Time</th></tr><tr><td>Mon</td><td>06:10</td></tr></table>`)
    expect(at('every day.')).toEqual({ heading: 'Tides > High' })
    expect(content).toContain('Day | Time\nMon | 06:10')
    expect(content).not.toMatch(/secret|Home|p\{\}/)
  })

  it('of a web page without its outer tags too; Markdown and code that begin with a tag stay what they are', async () => {
    expect((await read('<title>Tides</title><p>High at noon.', 'tides.html')).content).not.toContain('<')
    for (const name of ['README.md', 'page.vue'])
      expect((await read('<div align="center">High at noon.</div>', name)).content).toContain('<div')
  })

  it('of Markdown, CSV and JSON keeps their structure', async () => {
    const { at } = await read('# Guide\n\nIntro\n\n## Setup\n\n```\n# not a heading\n```\n\nRun it.', 'guide.md')
    expect(at('Run it.')).toEqual({ heading: 'Guide > Setup' })
    const csv = await read('name;note\n"Ruiz; Ana";"said ""yes"""\n', 'people.csv')
    expect(csv.content).toBe('name | note\nRuiz; Ana | said "yes"')
    expect((await read('[{"port": 1},{"port": 2}]')).content).toBe('{\n "port": 1\n}\n\n{\n "port": 2\n}')
  })

  it('of an email has its headers and the text of what is attached', async () => {
    const mail = [
      'From: Ana <ana@example.test>',
      'To: ben@example.test',
      'Subject: The minutes',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'See attached.',
      '--b',
      'Content-Type: text/markdown; name=minutes.md',
      'Content-Disposition: attachment; filename=minutes.md',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('# Vote\n\nAll agreed.').toString('base64'),
      '--b--',
      '',
    ].join('\r\n')
    const { content, at } = await read(mail)
    expect(content).toContain('From: Ana <ana@example.test>')
    expect(at('See attached.')).toEqual({ heading: 'The minutes' })
    expect(at('All agreed.')).toEqual({ heading: 'The minutes > minutes.md > Vote' })
  })

  it.each([
    ['windows-1252', Buffer.from('La ma\xf1ana est\xe1 aqu\xed, se\xf1or.', 'latin1'), 'La mañana está aquí, señor.'],
    ['UTF-16 without a mark', Buffer.from('Plain words, wide letters.', 'utf16le'), 'Plain words, wide letters.'],
    ['UTF-16 with a mark', Buffer.from('\ufeffWide ώ', 'utf16le'), 'Wide ώ'],
    [
      'windows-1251',
      Buffer.from('cff0e8e2e5f220ece8f02c20fdf2ee20ede0f8e820f1ebeee2e0', 'hex'),
      'Привет мир, это наши слова',
    ],
    ['Shift_JIS', Buffer.from('82b182ea82cd93fa967b8cea82cc95b68e9a82c582b78142', 'hex'), 'これは日本語の文字です。'],
    ['EUC-KR', Buffer.from('c7d1b1b9beee20b9aec0e5c0ccb4d92e', 'hex'), '한국어 문장이다.'],
  ])('in %s is decoded', async (_charset, bytes, text) => {
    expect((await read(bytes, 'text.txt')).content).toBe(text)
  })
})

describe('a file that is not what its name says', () => {
  it('is read as what it is', async () => {
    expect((await read('<!doctype html><p>really a page</p>', 'report.pdf')).content).toBe('really a page')
    const picture = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(64)])
    expect((await read(picture, 'essay.docx')).error).toContain("can't read text from files of this type")
  })
})

/** A megabyte of zeros, which ends at a byte: repeated, it inflates to any size without our compressing as much. */
const zeros = deflateRawSync(Buffer.alloc(1024 * 1024), { finishFlush: constants.Z_FULL_FLUSH })
const rawBomb = (mebibytes: number): Buffer =>
  Buffer.concat([...Array.from({ length: mebibytes }, () => zeros), Buffer.from([3, 0])])
const zlibStart = Buffer.from([0x78, 0x01])
const bomb = (mebibytes: number): Buffer => {
  // Adler-32, which is known for zeros: the file is whole, and must fail for its size.
  const sum = Buffer.from([0, 0, 0, 1])
  sum.writeUInt16BE((mebibytes * 1024 * 1024) % 65_521, 0)
  return Buffer.concat([zlibStart, rawBomb(mebibytes), sum])
}

/** A zip entry that inflates to zeros. */
const bombOf = (name: string, mebibytes: number): Buffer => {
  const content = rawBomb(mebibytes)
  const names = Buffer.from(name)
  const local = Buffer.alloc(30)
  local.writeUInt32LE(0x04034b50, 0)
  local.writeUInt16LE(8, 8)
  local.writeUInt32LE(content.length, 18)
  local.writeUInt32LE(1000, 22)
  local.writeUInt16LE(names.length, 26)
  const central = Buffer.alloc(46)
  central.writeUInt32LE(0x02014b50, 0)
  central.writeUInt16LE(8, 10)
  central.writeUInt32LE(content.length, 20)
  // It lies about what it becomes.
  central.writeUInt32LE(1000, 24)
  central.writeUInt16LE(names.length, 28)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length + names.length, 12)
  end.writeUInt32LE(local.length + names.length + content.length, 16)
  return Buffer.concat([local, names, content, central, names, end])
}

describe('A29: bombs and broken files', () => {
  it.each([
    ['a Word document that inflates to 120 MB', bombOf('word/document.xml', 120), 'too large'],
    ['a spreadsheet that inflates to 120 MB', bombOf('xl/workbook.xml', 120), 'too large'],
    ['an OpenDocument whose type inflates to 120 MB', bombOf('mimetype', 120), 'too large'],
    ['a zip of zips', zip({ 'lib 0.zip': zip({ 'lib 0.zip': zip({ '0.dll': 'x' }) }) }), "can't read text"],
    ['half a zip', zip({ 'word/document.xml': '<w:document/>' }).subarray(0, 60), 'damaged'],
    ['a PDF of garbage', `%PDF-1.7\n${'x'.repeat(5000)}`, 'damaged'],
    ['deep XML', zip({ 'word/document.xml': '<a>'.repeat(100_000) }), 'damaged'],
    [
      'entities that multiply',
      zip({
        'word/document.xml': `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(500)}"><!ENTITY b "${'&a;'.repeat(500)}">]><w:document><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:document>`,
      }),
      undefined,
    ],
    ['deep HTML', `<!doctype html>${'<div>'.repeat(200_000)}`, 'damaged'],
  ])('%s fails with a sentence, or is harmless', async (_name, bytes, sentence) => {
    const { status, error, content } = await read(bytes)
    if (sentence === undefined) expect(content.length).toBeLessThan(10_000)
    else expect({ status, error }).toEqual({ status: 'failed', error: expect.stringContaining(sentence) })
    expect((await app.newcomer().get('/health')).status).toBe(200)
  })

  /** A page with this stream; `declared` is what its length says. */
  const pdfWith = (stream: Buffer, { filter, declared = stream.length }: { filter: string; declared?: number }) => {
    const start = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 1/Kids[3 0 R]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>endobj
4 0 obj<</Length ${declared}/Filter[${filter}]>>stream\n`
    return Buffer.concat([Buffer.from(start), stream, Buffer.from('\nendstream endobj\ntrailer<</Root 1 0 R>>')])
  }

  it('a PDF whose page inflates to 128 MB fails with a sentence, and others are read meanwhile', async () => {
    const pdf = pdfWith(bomb(128), { filter: '/FlateDecode' })
    const [inflated, other] = await Promise.all([read(pdf), read('Plain words.')])
    expect(inflated).toMatchObject({ status: 'failed', error: expect.any(String) })
    expect(other.content).toBe('Plain words.')
  })

  it('a PDF with a stream that inflates to 2 GB, or claims to have them, fails with a sentence', async () => {
    const twice = deflateSync(Buffer.concat([zlibStart, rawBomb(2048)]))
    const expanding = pdfWith(twice, { filter: '/FlateDecode/FlateDecode' })
    expect(expanding.length).toBeLessThan(100_000)
    expect(await read(expanding)).toMatchObject({ status: 'failed', error: expect.any(String) })
    const claiming = pdfWith(deflateSync('BT ET'), { filter: '/FlateDecode', declared: 2 ** 31 })
    expect(await read(claiming)).toMatchObject({ status: 'failed', error: expect.any(String) })
    expect((await app.newcomer().get('/health')).status).toBe(200)
  })

  it('a PDF whose object streams are inside of each other, or nest without an end, fails with a sentence', async () => {
    const withStreams = (entries: readonly (readonly [kind: number, at: number, index: number])[], streams: string) => {
      const start = `%PDF-1.7\n${streams}`
      const rows = [[0, 0, 65_535], ...entries, [1, start.length, 0]] as const
      const table = Buffer.alloc(rows.length * 7)
      for (const [index, [kind, at, third]] of rows.entries()) {
        table.writeUInt8(kind, index * 7)
        table.writeUInt32BE(at, index * 7 + 1)
        table.writeUInt16BE(third, index * 7 + 5)
      }
      const head = `${rows.length - 1} 0 obj<</Type/XRef/Size ${rows.length}/W[1 4 2]/Root 1 0 R/Length ${table.length}>>stream\n`
      const end = `\nendstream endobj\nstartxref\n${start.length}\n%%EOF`
      return Buffer.concat([Buffer.from(start + head), table, Buffer.from(end)])
    }
    // The catalog is said to be in stream 2, that in stream 3, and so on; the last is in the first.
    const count = 20_000
    const chain = Array.from({ length: count }, (_, at) => [2, ((at + 1) % count) + 1, 0] as const)
    expect(await read(withStreams(chain, ''))).toMatchObject({ status: 'failed', error: expect.any(String) })
    const nested = `1 0 ${'['.repeat(500_000)}`
    const stream = `2 0 obj<</Type/ObjStm/N 1/First 4/Length ${nested.length}>>stream\n${nested}\nendstream endobj\n`
    const deep = withStreams(
      [
        [2, 2, 0],
        [1, 9, 0],
      ],
      stream,
    )
    expect(await read(deep)).toMatchObject({ status: 'failed', error: expect.any(String) })
  })

  it('a PDF that claims a million pages fails with a sentence', async () => {
    const kids = '3 0 R '.repeat(10)
    const pdf = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Count 1000000/Kids[${kids}]>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
trailer<</Root 1 0 R>>`
    expect((await read(pdf)).status).toBe('failed')
  })
})
