/** A person's initials. Decorative: the name is always next to it. */
import { cx } from '#ui/class-names.ts'

function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? '')][0] ?? '')
  return letters.join('').toUpperCase()
}

export function Avatar({ name, className }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden
      className={cx(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-full border bg-sunken font-serif text-soft text-sm',
        className,
      )}
    >
      {initialsOf(name)}
    </span>
  )
}
