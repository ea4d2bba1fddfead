/** A JSON value as a collapsible tree, or as text if it is one. Large parts are rendered on demand. */
import { ChevronRight } from 'lucide-react'
import { useState } from 'react'
import {
  closedSummary,
  cutText,
  entriesAtOnce,
  entriesOf,
  formatJson,
  isBranch,
  isOpenAtFirst,
} from '#lib/text/json-summary.ts'
import { ShowMore } from '#ui/button/show-more.tsx'
import { cx } from '#ui/class-names.ts'
import { CopyButton } from '#ui/feedback/copy-button.tsx'

interface JsonViewProps {
  /** The name of the region and of the copy button. */
  label: string
  value: unknown
}

/** With a header: the label and a copy button. */
export function JsonView({ label, value }: JsonViewProps) {
  return (
    <section aria-label={label} className="flex min-w-0 flex-col gap-1.5">
      <header className="flex h-6 items-center justify-between gap-2">
        <h3 className="font-medium text-sm">{label}</h3>
        {value !== undefined && value !== null && (
          <CopyButton text={formatJson(value)} label={`Copy ${label.toLowerCase()}`} />
        )}
      </header>
      <div className="min-w-0 rounded-control border bg-sunken px-3 py-2 font-mono text-sm">
        {typeof value === 'string' ? <Text text={value} isPlain /> : <Value value={value} depth={0} />}
      </div>
    </section>
  )
}

function Value({ value, depth }: { value: unknown; depth: number }) {
  if (isBranch(value)) return <Branch value={value} depth={depth} />
  if (typeof value === 'string') return <Text text={value} />
  return <span className={value === null || value === undefined ? 'text-faint' : 'text-warn'}>{String(value)}</span>
}

function Text({ text, isPlain = false }: { text: string; isPlain?: boolean }) {
  const [isWhole, setWhole] = useState(false)
  const cut = isWhole ? undefined : cutText(text)
  const shown = cut?.head ?? text
  return (
    <span className={cx('whitespace-pre-wrap [overflow-wrap:anywhere]', isPlain ? 'font-sans text-base' : 'text-ok')}>
      {isPlain ? shown : `"${shown}${cut ? '' : '"'}`}
      {cut && (
        <>
          {'… '}
          <ShowMore onClick={() => setWhole(true)}>Show all {cut.total.toLocaleString('en')} characters</ShowMore>
        </>
      )}
    </span>
  )
}

function Branch({ value, depth }: { value: object; depth: number }) {
  const [isOpen, setOpen] = useState(() => isOpenAtFirst(value, depth))
  const entries = entriesOf(value)
  if (entries.length === 0) return <span className="text-faint">{closedSummary(value)}</span>
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-ml-1 inline-flex h-5 items-center gap-0.5 rounded pr-1 align-top text-faint hover:text-ink"
      >
        <ChevronRight aria-hidden className={cx('size-3.5 transition-transform', isOpen && 'rotate-90')} />
        {closedSummary(value)}
      </button>
      {isOpen && <Entries entries={entries} depth={depth + 1} />}
    </>
  )
}

function Entries({ entries, depth }: { entries: ReturnType<typeof entriesOf>; depth: number }) {
  const [count, setCount] = useState(entriesAtOnce)
  const left = entries.length - count
  return (
    <ul className="ml-[5px] border-l pl-3">
      {entries.slice(0, count).map(([key, value]) => (
        <li key={key} className="py-px">
          <span className="text-soft [overflow-wrap:anywhere]">{key}: </span>
          <Value value={value} depth={depth} />
        </li>
      ))}
      {left > 0 && (
        <li>
          <ShowMore onClick={() => setCount(count + entriesAtOnce * 4)}>
            Show more ({left.toLocaleString('en')} left)
          </ShowMore>
        </li>
      )}
    </ul>
  )
}
