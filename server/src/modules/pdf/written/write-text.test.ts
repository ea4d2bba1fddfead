/** A text becomes pages with room for fields, or is refused with what is wrong with it. */
import { PDF } from '@libpdf/core'
import { describe, expect, it } from 'vitest'
import type { TextToWrite } from '../interface.ts'
import { loadPdf } from '../read/load-pdf.ts'
import { textOfPages } from '../read/read-lines.ts'
import { readHtml } from './read-html.ts'
import { readMarkdown } from './read-markdown.ts'
import { writeText } from './write-text.ts'

const write = (text: string, more: Partial<TextToWrite> = {}) =>
  writeText({ format: 'markdown', values: {}, paper: 'A4', text, ...more })
const pagesOf = async (text: string, more: Partial<TextToWrite> = {}) => {
  const written = await write(text, more)
  if ('refusal' in written) throw new Error(JSON.stringify(written.refusal))
  const pages = await textOfPages(await loadPdf(written.bytes))
  return { ...written, pages: pages.map((page) => page.replace(/\s+/g, ' ').trim()) }
}
const refusalOf = async (text: string, more: Partial<TextToWrite> = {}) => {
  const written = await write(text, more)
  return 'refusal' in written ? [written.refusal.code, ...written.refusal.names] : undefined
}

const contract = `# Rental agreement

Between **{{landlord}}** and *the tenant*, see [the law](https://law.example/1).

1. The rent is **{{ rent }}**.
   - due on the first
     - of *every* month
2. Signed:

| Party | Signature | Date |
|---|---|---|
| Tenant | {{sig:tenant}} | {{date:tenant}} |
| Landlord | {{sig:landlord}} | {{date:landlord}} |

- [ ] {{checkbox:tenant:Has read the house rules}} House rules, {{text:tenant:Phone}}

\\pagebreak

> Annex \`A_1\`
`

describe('a text', () => {
  it('is drawn with its values, and its tags are fields with nothing drawn', async () => {
    const values = { landlord: 'Ana & Söhne', rent: '900 €' }
    const { pages, fields, bytes } = await pagesOf(contract, { values })
    expect(pages).toHaveLength(2)
    expect(pages[0]).toContain('Between Ana & Söhne and the tenant, see the law (https://law.example/1).')
    expect(pages[0]).toContain('1. The rent is 900 €.')
    expect(pages.join(' ')).not.toMatch(/[{}*|]|sig:/)
    expect(pages[1]).toBe('Annex A_1 2 / 2')
    expect(fields.map(({ type, role, label }) => [type, role, label])).toEqual([
      ['SIGNATURE', 'tenant', null],
      ['DATE', 'tenant', null],
      ['SIGNATURE', 'landlord', null],
      ['DATE', 'landlord', null],
      ['CHECKBOX', 'tenant', 'Has read the house rules'],
      ['TEXT', 'tenant', 'Phone'],
    ])
    for (const { x, y, width, height } of fields) {
      expect(Math.min(x, y, width, height)).toBeGreaterThan(0)
      expect(Math.max(x + width, y + height)).toBeLessThan(1)
    }
    expect((await PDF.load(bytes)).getPageCount()).toBe(2)
  })

  it('is written as HTML too, and an unknown element leaves its text', async () => {
    const html = `<html><head><title>x</title><style>p{}</style></head><body><h1>Offer</h1>
      <p>For <b>{{name}}</b>&nbsp;&amp; Co.<br>Second <fancy>line</fancy></p>
      <ol start="3"><li>three<ul><li>inner</li></ul></li><li>four</li></ol>
      <table><tr><th>Item</th><th>Price</th></tr><tr><td><p>Boat</p><p>red</p></td><td>{{sig:buyer}}</td></tr></table>
      <div style="page-break-before: always"></div><pre>a  b\n c</pre></body></html>`
    const { pages, fields } = await pagesOf(html, { format: 'html', values: { name: 'Kim' } })
    expect(pages[0]).toContain('Offer For Kim & Co. Second line 3. three • inner 4. four Item Price')
    expect(pages[1]).toContain('a b c')
    expect(fields).toMatchObject([{ type: 'SIGNATURE', role: 'buyer', page: 1 }])
  })

  it('never reads a value as markup or as a tag', async () => {
    const value = '**not bold** {{sig:thief}} {{other}} <b>x</b>\n# second line'
    const { pages, fields } = await pagesOf('A: {{a}} {{sig:me}}', { values: { a: value } })
    expect(pages[0]).toBe('A: **not bold** {{sig:thief}} {{other}} <b>x</b> # second line')
    expect(fields.map(({ role }) => role)).toEqual(['me'])
  })

  it('takes an escaped brace, and a line to write on, as they are', async () => {
    const { pages } = await pagesOf('Use \\{{name}} and _____ and snake_case_name, **a *b** c')
    expect(pages[0]).toBe('Use {{name}} and _____ and snake_case_name, a *b c')
  })

  it('keeps a heading with what follows, and a row of a table whole', async () => {
    const lines = Array.from({ length: 47 }, (_, index) => `Line ${index}`).join('\\\n')
    const { pages } = await pagesOf(`${lines}\n\n## Heading\n\nBody`)
    expect(pages).toHaveLength(2)
    expect(pages[1]).toContain('Heading Body')
  })

  it('is refused with what is wrong', async () => {
    expect(await refusalOf('{{a}} {{b}} {{a}}', { values: { b: '1' } })).toEqual(['text_variables_missing', 'a'])
    expect(await refusalOf('{{constructor}}')).toEqual(['text_variables_missing', 'constructor'])
    expect(await refusalOf('{{sig}} {{sign:x}} {{text:r}}')).toEqual(['text_tags_unknown', 'sign:x', 'text:r'])
    expect(await refusalOf('<p>x<img src="a"><script>alert(1)</script>', { format: 'html' })).toEqual([
      'text_elements_refused',
      'img',
      'script',
    ])
    expect(await refusalOf(' \n\n')).toEqual(['text_empty'])
    expect(await refusalOf('emoji 😀')).toEqual(['text_undrawable', '😀'])
    expect(await refusalOf('x\n\n\\pagebreak\n\n'.repeat(400))).toEqual(['document_text_too_long'])
    expect(await refusalOf('{{a}}'.repeat(1000), { values: { a: 'x'.repeat(5000) } })).toEqual([
      'document_text_too_long',
    ])
  })
})

describe('the markup of a text', () => {
  const size = 200_000
  const fill = (piece: string) => piece.repeat(Math.floor(size / piece.length))
  const hostile =
    '**a|_a_ |[|[a](|[a](b |`|`` ` |> |- a\n|* |1) |{{|{{a|*a **b |\n| a|<br|<a |&|\\|#|~~~\n|![|***a** |- - '.split(
      '|',
    )
  hostile.push('|', '|-', 'a|b\n-|-\n')
  const html = '<b>|</b>|<b></i>|<ul><li>|<table><tr><td>|<|<!--|&|<p|<blockquote>| <br>|<a b="'.split('|')

  /** Work that grows with the square of the length takes minutes: then this test doesn't end. */
  it('is read however hostile it is', () => {
    for (const piece of hostile) expect(JSON.stringify(readMarkdown(fill(piece))).length).toBeGreaterThan(0)
    for (const piece of html) expect(readHtml(fill(piece)).refused).toEqual([])
  })
})
