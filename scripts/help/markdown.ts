/** Markdown as the help shows it: anchors, code with a copy button, tables that scroll, links between its pages. */
import { Marked, type Tokens } from 'marked'
import { codeBlock } from './highlight.ts'
import { createSlugs, escapeHtml, plainOf, tableHtml } from './html.ts'
import { resolveLink } from './links.ts'

export interface Heading {
  level: number
  text: string
  id: string
}

/** A heading with what stands under it, for the search. */
export interface Section {
  heading: Heading | undefined
  /** Words of the page's author under which people look for it. */
  also: string
  text: string
}

interface Rendered {
  html: string
  headings: Heading[]
  sections: Section[]
  problems: string[]
}

const anchor = ({ id, text }: Heading): string =>
  `<a class="anchor" href="#${id}" aria-label="Link to ${escapeHtml(text)}">#</a>`

/** A link that is named after its file is named after its page. */
const fileName = /^(<code>)?(docs\/)?([\w-]+\.md|[A-Z]{4,})(<\/code>)?$/

/** `docs/OPERATIONS.md`, named in the text without a link. */
const namedPage = /^docs\/[\w-]+\.md$/

export const renderMarkdown = (text: string, from: { source: string; path: string }): Rendered => {
  const headings: Heading[] = []
  const problems: string[] = []
  const slug = createSlugs()
  const linkTo = (href: string, label: string): string => {
    const link = resolveLink(from, href)
    if (link === 'plain') return label
    if ('to' in link)
      return `<a href="${escapeHtml(link.to)}">${fileName.test(label) ? (link.title ?? label) : label}</a>`
    problems.push(link.problem)
    return label
  }
  const marked = new Marked({
    // An address that is no link in the text is an example.
    tokenizer: { url: () => undefined },
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens)
        const words = plainOf(html)
        const heading = { level: depth, text: words, id: slug(words) }
        headings.push(heading)
        return `<h${depth} id="${heading.id}">${html}${depth === 1 ? '' : anchor(heading)}</h${depth}>\n`
      },
      code: ({ text: code, lang }: Tokens.Code) => codeBlock(code, lang),
      codespan({ text: code }: Tokens.Codespan) {
        const html = `<code>${escapeHtml(code)}</code>`
        const up = '../'.repeat(from.source.split('/').length - 1)
        return namedPage.test(code) ? linkTo(`${up}${code}`, html) : html
      },
      link({ href, tokens }: Tokens.Link) {
        return linkTo(href, this.parser.parseInline(tokens).replace(/<\/?a\b[^>]*>/g, ''))
      },
      image: ({ text: alt }: Tokens.Image) => escapeHtml(alt),
      html: ({ text: html }: Tokens.HTML | Tokens.Tag) => (/^\s*<!--/.test(html) ? '' : escapeHtml(html)),
      table({ header, rows }: Tokens.Table) {
        const cells = (row: Tokens.TableCell[]) => row.map(({ tokens }) => this.parser.parseInline(tokens))
        return tableHtml(cells(header), rows.map(cells))
      },
    },
  })
  const sections: Section[] = []
  let html = ''
  for (const token of marked.lexer(text)) {
    const piece = marked.parser([token])
    html += piece
    if (token.type === 'heading') sections.push({ heading: headings.at(-1), also: '', text: '' })
    const [section = { heading: undefined, also: '', text: '' }] = sections.slice(-1)
    const [, also] = /<!-- also: (.*?) -->/.exec(token.raw) ?? []
    if (also !== undefined) section.also = also
    else if (token.type !== 'heading') section.text += ` ${plainOf(piece.replace(/<button.*?<\/button>/g, ''))}`
  }
  return { html, headings, sections, problems }
}
