/** What the search of the help looks at: the sections of the pages, in short names since browsers load it. */
import type { Section } from './markdown.ts'

export interface IndexedSection {
  /** The page's path, with the anchor. */
  p: string
  /** Its title. */
  t: string
  h: string
  /** Other words for it. */
  k: string
  x: string
}

/** Tables of variables are long, and found by what stands at their beginning or by a heading. */
const longest = 4000

interface Indexed {
  path: string
  title: string
  sections: readonly Section[]
}

export const indexOf = ({ path, title, sections }: Indexed): IndexedSection[] =>
  sections.map(({ heading, also, text }) => ({
    p: heading === undefined || heading.level === 1 ? path : `${path}#${heading.id}`,
    t: title,
    h: heading?.text ?? title,
    k: also,
    x: text.trim().slice(0, longest),
  }))
