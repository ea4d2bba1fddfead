/**
 * Actions for the selected rows of a table. Each is done row by row: rows that fail are listed with their reason and
 * stay selected, the others are done all the same.
 */
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { BulkQuestion } from './bulk-question.tsx'
import { useOffer } from './offered-actions.ts'
import { actionsForMany, countOf, type Doing, type RowActions, rowsFor } from './row-action.ts'

interface BulkBarProps<Row> {
  actions: RowActions<Row>
  label: string
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** Changes the selection. */
  onSelect: (rows: readonly Row[]) => void
}

interface Failure<Row> {
  row: Row
  reason: string
}

export function BulkBar<Row>(props: BulkBarProps<Row>) {
  const { label, rows, keyOf, onSelect } = props
  const { nouns, nameOf } = props.actions
  const [asking, setAsking] = useState<Doing<Row>>()
  const { progress, failures, start, forget } = useBulkRun(props)
  const begin = (action: Doing<Row>, input = '') => {
    setAsking(undefined)
    void start(action, rowsFor(action, rows), input)
  }
  const choices = actionsForMany(props.actions).map((action) => ({
    action,
    count: rowsFor(action, rows).length,
    run: () => (action.ask?.many || action.input ? setAsking(action) : begin(action)),
  }))
  useOffer(
    choices
      .filter(({ count }) => count > 0 && progress === undefined)
      .map(({ action, count, run }) => ({
        label: `${action.label}: ${countOf(count, nouns)}`,
        icon: action.icon,
        run,
      })),
  )
  if (rows.length === 0 && failures.length === 0) return null
  return (
    <section
      aria-label={`Selected in ${label}`}
      className="sticky bottom-0 z-10 rounded-b-panel border-t bg-raised px-5 py-2.5 text-sm"
    >
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="figures mr-auto font-medium">
          {progress ?? `${rows.length} selected`}
        </span>
        {choices.map(({ action, count, run }) => (
          <Button
            key={action.label}
            size="small"
            icon={action.icon}
            disabled={count === 0 || progress !== undefined}
            onClick={run}
          >
            {count === 0 || count === rows.length ? action.label : `${action.label} (${count})`}
          </Button>
        ))}
        <Button
          size="small"
          look="quiet"
          onClick={() => {
            forget()
            onSelect([])
          }}
        >
          Clear
        </Button>
      </div>
      {failures.length > 0 && <Failures failures={failures} nameOf={nameOf} keyOf={keyOf} />}
      {asking && (
        <BulkQuestion
          action={asking}
          what={countOf(rowsFor(asking, rows).length, nouns)}
          onStart={begin}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  )
}

function useBulkRun<Row>({ actions: { nouns, refresh }, onSelect }: BulkBarProps<Row>) {
  const [progress, setProgress] = useState<string>()
  const [failures, setFailures] = useState<readonly Failure<Row>[]>([])
  const start = async ({ call, done }: Doing<Row>, rows: readonly Row[], input: string) => {
    setFailures([])
    const failed: Failure<Row>[] = []
    for (const [index, row] of rows.entries()) {
      setProgress(`${index + 1} of ${rows.length}…`)
      try {
        await call(row, input)
      } catch (error) {
        failed.push({ row, reason: error instanceof Error ? error.message : 'Something went wrong.' })
      }
    }
    setFailures(failed)
    onSelect(failed.map(({ row }) => row))
    await refresh()
    setProgress(undefined)
    const count = rows.length - failed.length
    if (count > 0) toast.done(`${countOf(count, nouns)} ${done}`)
  }
  return { progress, failures, start, forget: () => setFailures([]) }
}

interface FailuresProps<Row> extends Pick<RowActions<Row>, 'nameOf'>, Pick<BulkBarProps<Row>, 'keyOf'> {
  failures: readonly Failure<Row>[]
}

function Failures<Row>({ failures, nameOf, keyOf }: FailuresProps<Row>) {
  return (
    <div role="alert" className="mt-2 max-h-40 overflow-y-auto rounded-control bg-bad-wash px-3 py-2">
      <p className="font-medium">{failures.length === 1 ? '1 failed:' : `${failures.length} failed:`}</p>
      <ul>
        {failures.map(({ row, reason }) => (
          <li key={keyOf(row)}>
            {nameOf(row)}: {reason}
          </li>
        ))}
      </ul>
    </div>
  )
}
