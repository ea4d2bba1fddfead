/** The fields of an event's payload. Clicking one inserts it into the expression. */
import type { PathStep } from './filter-marks.ts'
import { pathText } from './filter-marks.ts'

interface PayloadFieldsProps {
  value: unknown
  path: readonly PathStep[]
  onInsert: (path: readonly PathStep[], value: unknown) => void
}

/** A payload may be large; only its first fields are listed. */
const maxShown = 60

const entriesOf = (value: object): [PathStep, unknown][] =>
  Array.isArray(value) ? value.map((item, index) => [index, item]) : Object.entries(value)

export function PayloadFields({ value, path, onInsert }: PayloadFieldsProps) {
  if (typeof value !== 'object' || value === null)
    return <FieldButton step="payload" value={value} path={path} onInsert={onInsert} />
  const entries = entriesOf(value)
  if (entries.length === 0) return <p className="font-mono text-faint text-xs">Empty</p>
  return (
    <ul className="flex flex-col gap-0.5">
      {entries.slice(0, maxShown).map(([step, item]) => (
        <Entry key={step} step={step} value={item} path={[...path, step]} onInsert={onInsert} />
      ))}
      {entries.length > maxShown && <li className="text-faint text-xs">and {entries.length - maxShown} more</li>}
    </ul>
  )
}

interface EntryProps extends PayloadFieldsProps {
  step: PathStep
}

function Entry({ step, value, path, onInsert }: EntryProps) {
  const isBranch = typeof value === 'object' && value !== null
  return (
    <li>
      <FieldButton step={step} value={value} path={path} onInsert={onInsert} />
      {isBranch && (
        <div className="ml-2 border-l pl-3">
          <PayloadFields value={value} path={path} onInsert={onInsert} />
        </div>
      )}
    </li>
  )
}

function FieldButton({ step, value, path, onInsert }: EntryProps) {
  const isBranch = typeof value === 'object' && value !== null
  return (
    <button
      type="button"
      title={`Insert ${pathText(path)}`}
      onClick={() => onInsert(path, value)}
      className="flex max-w-full items-baseline gap-2 rounded px-1 text-left font-mono text-xs hover:bg-surface"
    >
      <span className="shrink-0 text-(--code-name)">{step}</span>
      {!isBranch && <span className="min-w-0 truncate text-soft">{JSON.stringify(value)}</span>}
    </button>
  )
}
