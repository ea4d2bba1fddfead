/** A text inside a fold: code, what a tool was given, what it answered. */
import { cx } from '#ui/class-names.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { reachable } from '../reachable.ts'

interface DetailProps {
  label: string
  text: string
  isBad?: boolean
}

export function Detail({ label, text, isBad = false }: DetailProps) {
  if (text === '') return null
  return (
    <figure aria-label={label} className="flex min-w-0 flex-col gap-1">
      <figcaption className="flex h-6 items-center justify-between gap-2 font-medium">
        {label}
        <CopyButton text={text} label={`Copy ${label.toLowerCase()}`} />
      </figcaption>
      <pre
        {...reachable}
        className={cx(
          'max-h-80 overflow-auto rounded-control border bg-sunken px-3 py-2 font-mono text-sm',
          isBad && 'text-bad',
        )}
      >
        {text}
      </pre>
    </figure>
  )
}
