/** A search snippet, with the words the server put between « and » highlighted. */
import { Fragment } from 'react'

/** Alternating text and matches; a single « stays text. */
export const splitMatches = (snippet: string): string[] => withoutMarks(snippet).split(/«([^«»]*)»/)

/** Markdown's own characters say nothing in one line of text. */
const withoutMarks = (text: string) =>
  text.replace(/[*_`~]{2,}|(?:^|\s)(?:#{1,6}|>|[-*])(?=\s)|`/g, ' ').replace(/\s+/g, ' ')

export function Highlighted({ snippet }: { snippet: string }) {
  return splitMatches(snippet).map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
      <mark key={index} className="rounded-[3px] bg-seal-wash text-seal-text">
        {part}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
      <Fragment key={index}>{part}</Fragment>
    ),
  )
}
