/** A link to copy. */
import { type ReactNode, useId } from 'react'
import { CopyButton } from '#ui/feedback/copy-button.tsx'

export function ReadOnlyLink({ label, url, help }: { label: string; url: string; help: ReactNode }) {
  const id = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="font-medium text-sm">
        {label}
      </label>
      <div className="flex gap-2">
        <input
          id={id}
          readOnly
          value={url}
          onFocus={(event) => event.target.select()}
          className="h-9 min-w-0 flex-1 rounded-control border border-b-rule bg-sunken px-3 font-mono text-sm focus:border-ink focus:outline-none focus:ring-2 focus:ring-ink/15"
        />
        <CopyButton text={url} label={`Copy ${label.toLowerCase()}`} isWorded />
      </div>
      <p className="text-faint text-sm">{help}</p>
    </div>
  )
}
