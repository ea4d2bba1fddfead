/** Shown where an email is about to be needed, on a server that can't send any. */
import { MailX } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHasMailServer } from '#data/mail-server.ts'

interface NoMailNoteProps {
  /** Says that there is no email, in the reader's language. */
  opening?: string
  /** Says what to do instead. */
  children: ReactNode
}

export function NoMailNote({ opening = 'This server can’t send email yet.', children }: NoMailNoteProps) {
  if (useHasMailServer() !== false) return null
  return (
    <p className="flex items-start gap-2.5 rounded-control border border-warn/30 bg-warn-wash px-4 py-3 text-sm">
      <MailX aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <span>
        {opening} {children}
      </span>
    </p>
  )
}
