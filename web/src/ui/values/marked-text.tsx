/** Text with the words that were searched for marked. */
import { Fragment } from 'react'
import type { TextPart } from '#lib/text/matched-words.ts'

export function MarkedText({ parts }: { parts: readonly TextPart[] }) {
  return parts.map(({ text, isMatch }, index) =>
    isMatch ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
      <mark key={index} className="rounded-[3px] bg-seal-wash text-seal-text">
        {text}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, never reordered
      <Fragment key={index}>{text}</Fragment>
    ),
  )
}
