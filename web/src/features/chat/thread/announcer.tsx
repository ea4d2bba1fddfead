/** Says to those who listen that a reply has come, once it is whole; word by word nobody could follow. */
import { useEffect, useRef, useState } from 'react'
import { isPending, modelNameOf } from '../history/parts.ts'
import type { Row } from '../history/rows.ts'

const longest = 600

export function Announcer({ rows }: { rows: readonly Row[] }) {
  const [said, setSaid] = useState('')
  const waiting = useRef(new Set<string>())
  useEffect(() => {
    const last = rows.at(-1)
    if (last?.kind !== 'reply') return
    for (const { message } of last.columns) {
      const name = modelNameOf(message)
      if (isPending(message)) {
        if (!waiting.current.has(message.id)) setSaid(`${name} is replying.`)
        waiting.current.add(message.id)
      } else if (waiting.current.delete(message.id)) {
        setSaid(`${name} replied: ${message.content.slice(0, longest)}`)
      }
    }
  }, [rows])
  return (
    <p aria-live="polite" className="sr-only">
      {said}
    </p>
  )
}
