/**
 * Actions for the selected rows of a table. Each is done row by row: rows that fail are listed with their reason and
 * stay selected, the others are done all the same.
 */
import type { LucideIcon } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { toast } from '#ui/feedback/toast.ts'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { Confirm, Dialog, DialogActions } from '#ui/overlay/dialog.tsx'

export interface BulkAction<Row> {
  label: string
  icon: LucideIcon
  /** What happened to the rows: “3 files deleted”. */
  done: string
  /** Which of the selected rows it is for; all by default. */
  isFor?: (row: Row) => boolean
  /** Asks first, and says what is lost. `what` is how many: “3 files”. */
  ask?: { title: (what: string) => string; loss: string }
  /** A text that is asked for first, and used for every row. */
  input?: { label: string; help: string }
  call: (row: Row, input: string) => unknown
}

export interface Bulk<Row> {
  /** The name of one row, and of several: `['person', 'people']`. */
  nouns: readonly [one: string, many: string]
  nameOf: (row: Row) => string
  actions: readonly BulkAction<Row>[]
  /** Loads the list again. */
  refresh: () => Promise<unknown>
}

interface BulkBarProps<Row> extends Bulk<Row> {
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
  const { label, rows, actions, nameOf, keyOf, onSelect } = props
  const [asking, setAsking] = useState<BulkAction<Row>>()
  const { progress, failures, start, forget } = useBulkRun(props)
  if (rows.length === 0 && failures.length === 0) return null
  const forAction = ({ isFor = () => true }: BulkAction<Row>) => rows.filter(isFor)
  const begin = (action: BulkAction<Row>, input = '') => {
    setAsking(undefined)
    void start(action, forAction(action), input)
  }
  return (
    <section
      aria-label={`Selected in ${label}`}
      className="sticky bottom-0 z-10 rounded-b-panel border-t bg-raised px-5 py-2.5 text-sm"
    >
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="figures mr-auto font-medium">
          {progress ?? `${rows.length} selected`}
        </span>
        {actions.map((action) => (
          <ActionButton
            key={action.label}
            action={action}
            count={forAction(action).length}
            of={rows.length}
            isBusy={progress !== undefined}
            onClick={() => (action.ask || action.input ? setAsking(action) : begin(action))}
          />
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
        <Question
          action={asking}
          rows={forAction(asking)}
          nouns={props.nouns}
          onStart={begin}
          onClose={() => setAsking(undefined)}
        />
      )}
    </section>
  )
}

function useBulkRun<Row>({ nouns, refresh, onSelect }: BulkBarProps<Row>) {
  const [progress, setProgress] = useState<string>()
  const [failures, setFailures] = useState<readonly Failure<Row>[]>([])
  const start = async ({ call, done }: BulkAction<Row>, rows: readonly Row[], input: string) => {
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

const countOf = (count: number, [one, many]: readonly [string, string]) => `${count} ${count === 1 ? one : many}`

interface ActionButtonProps<Row> {
  action: BulkAction<Row>
  count: number
  of: number
  isBusy: boolean
  onClick: () => void
}

/** Says for how many it can be done, if not for all. */
function ActionButton<Row>({ action: { label, icon }, count, of, isBusy, onClick }: ActionButtonProps<Row>) {
  return (
    <Button size="small" icon={icon} disabled={count === 0 || isBusy} onClick={onClick}>
      {count === 0 || count === of ? label : `${label} (${count})`}
    </Button>
  )
}

interface QuestionProps<Row> extends Pick<BulkBarProps<Row>, 'rows' | 'nouns'> {
  action: BulkAction<Row>
  onStart: (action: BulkAction<Row>, input?: string) => void
  onClose: () => void
}

function Question<Row>({ action, rows, nouns, onStart, onClose }: QuestionProps<Row>) {
  const { label, ask, input } = action
  if (ask !== undefined) {
    return (
      <Confirm
        title={ask.title(countOf(rows.length, nouns))}
        loss={ask.loss}
        action={label}
        isOpen
        isPending={false}
        onConfirm={() => onStart(action)}
        onClose={onClose}
      />
    )
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    onStart(action, String(new FormData(event.currentTarget).get('value') ?? '').trim())
  }
  if (input === undefined) return null
  return (
    <Dialog isOpen isDisposable title={label} onClose={onClose}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <Field label={input.label} name="value" help={input.help}>
          <TextInput maxLength={120} autoComplete="off" />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            {label}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

interface FailuresProps<Row> extends Pick<BulkBarProps<Row>, 'nameOf' | 'keyOf'> {
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
