/** A search snippet, with the words the server put between « and » highlighted. */
import { MarkedText } from '#ui/values/marked-text.tsx'

/** Alternating text and matches; a single « stays text. */
export const splitMatches = (snippet: string): string[] => withoutMarks(snippet).split(/«([^«»]*)»/)

/** Markdown's own characters say nothing in one line of text. */
const withoutMarks = (text: string) =>
  text.replace(/[*_`~]{2,}|(?:^|\s)(?:#{1,6}|>|[-*])(?=\s)|`/g, ' ').replace(/\s+/g, ' ')

export function Highlighted({ snippet }: { snippet: string }) {
  return <MarkedText parts={splitMatches(snippet).map((text, index) => ({ text, isMatch: index % 2 === 1 }))} />
}
