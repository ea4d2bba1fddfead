/** A passage that matched, with the words the server put between « and » marked. */
import { Fragment } from 'react'

/** Text and matches in turn; a lone « stays text. */
export const splitMarks = (snippet: string): string[] => snippet.split(/«([^«»]*)»/)

export function Marked({ snippet }: { snippet: string }) {
  return splitMarks(snippet).map((part, place) =>
    place % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
      <mark key={place} className="rounded-[3px] bg-seal-wash text-seal-text">
        {part}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
      <Fragment key={place}>{part}</Fragment>
    ),
  )
}
