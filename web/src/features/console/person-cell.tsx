/** A person in a table: monogram, name, address. */
import { Avatar } from '#ui/avatar.tsx'

export function PersonCell({ name, email }: { name: string; email: string }) {
  return (
    <span className="flex items-center gap-3">
      <Avatar name={name} />
      <span className="min-w-0">
        <span className="block font-medium">{name}</span>
        <span className="block text-faint text-sm">{email}</span>
      </span>
    </span>
  )
}
