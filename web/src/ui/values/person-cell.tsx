/** A person in a table: initials, name, email. */
import type { ReactNode } from 'react'
import { Avatar } from './avatar.tsx'

/** `title`: the name as a link, if there is a page for the person. */
export function PersonCell({ name, email, title = name }: { name: string; email: string; title?: ReactNode }) {
  return (
    <span className="flex items-center gap-3">
      <Avatar name={name} />
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="block text-faint text-sm">{email}</span>
      </span>
    </span>
  )
}
