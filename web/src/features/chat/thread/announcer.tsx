/** Announces replies to screen readers once they are complete; word by word would be impossible to follow. */
import { useEffect, useRef, useState } from 'react'
import { isPending, modelNameOf } from '../history/parts.ts'
import type { Row } from '../history/rows.ts'

const longest = 600

export function Announcer({ rows }: { rows: readonly Row[] }) {
  const [announcement, setAnnouncement] = useState('')
  const waiting = useRef(new Set<string>())
  useEffect(() => {
    const last = rows.at(-1)
    if (last?.kind !== 'reply') return
    for (const { message } of last.columns) {
      const name = modelNameOf(message)
      if (isPending(message)) {
        if (!waiting.current.has(message.id)) setAnnouncement(`${name} is replying…`)
        waiting.current.add(message.id)
      } else if (waiting.current.delete(message.id)) {
        setAnnouncement(`${name} replied: ${message.content.slice(0, longest)}`)
      }
    }
  }, [rows])
  return (
    <p aria-live="polite" className="sr-only">
      {announcement}
    </p>
  )
}
