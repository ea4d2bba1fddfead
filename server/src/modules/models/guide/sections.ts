/** Cuts a page of the documentation into its sections. Pure. */

export interface Section {
  /** The file, such as `signing.md`. */
  page: string
  heading: string
  /** Other words for the same thing, in a comment `also`. */
  also: string
  text: string
}

const also = /<!-- also: (.*?) -->\n*/s
/** To a neighbouring page: it leads nowhere in a chat. */
const localLink = /\[([^\]]+)\]\((?!https?:)[^)]*\)/g

export const sectionsOf = (page: string, markdown: string): Section[] => {
  const sections: { heading: string; lines: string[] }[] = []
  let isCode = false
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    const heading = isCode ? undefined : /^#{1,3} (.+)$/.exec(line)?.[1]
    if (heading !== undefined) sections.push({ heading, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections.slice(1).flatMap(({ heading, lines }) => {
    const body = lines.join('\n')
    const text = body.replace(also, '').replace(localLink, '$1').trim()
    return text === '' ? [] : [{ page, heading, also: also.exec(body)?.[1] ?? '', text }]
  })
}
