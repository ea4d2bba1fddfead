/** Rows of names and values: the fields of a transform, the headers of a request. */
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#ui/button/button.tsx'
import { cx } from '#ui/class-names.ts'
import { inputLook } from '#ui/form/inputs.tsx'
import type { Notation } from '../../completion/complete.ts'
import { CompletingRow } from './completing-text.tsx'
import { useNodeConfig } from './config-context.ts'
import { RowNote } from './form-help.tsx'
import { firstProblem, type Pair, pairProblem, pairsOf, readPairs, recordOf, renamed, writePairs } from './pairs.ts'
import { useSecretInput } from './secret-row.tsx'
import { useBlurCommit } from './use-blur-commit.ts'
import { useDraft } from './use-draft.ts'

interface PairsRowProps {
  name: string
  label: string
  help: string
  nameLabel: string
  valueLabel: string
  addLabel: string
  /** Stored as an empty object instead of being removed, because the node requires it. */
  isRequired?: boolean
  /** Values that are never shown again after saving. */
  isSecret?: (name: string) => boolean
  /** The notation in which values refer to the run; `{{templates}}` by default. */
  notation?: Notation
}

export function PairsRow(props: PairsRowProps) {
  const { name, label, help, nameLabel, valueLabel, addLabel, isRequired, isSecret, notation = 'template' } = props
  const { config, problems, hints, change } = useNodeConfig()
  const { pairs, isTyped, set } = usePairs({
    path: `config.${name}`,
    record: config[name],
    storedOf: (record) => (!isRequired && Object.keys(record).length === 0 ? undefined : record),
    onValue: (value) => change({ [name]: value }),
  })
  const edit = (pair: Pair) => set(pairs.map((one) => (one.key === pair.key ? pair : one)))
  const problem = isTyped ? undefined : problems.get(name)
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-medium text-sm">{label}</legend>
      {pairs.map((pair, index) => (
        <PairFields
          key={pair.key}
          pair={pair}
          names={{ name: `${nameLabel} ${index + 1}`, value: `${valueLabel} ${index + 1}` }}
          problem={pairProblem(pairs, pair)}
          isSecret={isSecret}
          notation={notation}
          onChange={edit}
          onRemove={() => set(pairs.filter((one) => one.key !== pair.key))}
        />
      ))}
      <RowNote problem={problem} hint={isTyped ? undefined : hints.get(name)} help={help} />
      <Button
        name={name}
        size="small"
        icon={Plus}
        className="self-start"
        onClick={() => set([...pairs, { key: Math.max(-1, ...pairs.map(({ key }) => key)) + 1, name: '', value: '' }])}
      >
        {addLabel}
      </Button>
    </fieldset>
  )
}

interface PairsSettings {
  path: string
  record: unknown
  /** Reduces a record to the parts that are stored. */
  storedOf: (record: Record<string, string>) => Record<string, string> | undefined
  onValue: (value: Record<string, string> | undefined) => void
}

/**
 * Rows are held here while typing; complete rows go into the record, and a record changed elsewhere replaces them.
 * Incomplete rows are saved as a draft on top of the record.
 */
function usePairs({ path, record, storedOf, onValue }: PairsSettings) {
  const written = JSON.stringify(record ?? {})
  const { draft, keep } = useDraft(path)
  const [rows, setRows] = useState(() => ({ pairs: draft ? readPairs(draft.text) : pairsOf(record), of: written }))
  const pairs = rows.of === written ? rows.pairs : pairsOf(record)
  const set = (next: readonly Pair[]) => {
    const made = recordOf(next)
    const value = storedOf(made)
    const problem = firstProblem(next)
    keep(problem === undefined ? undefined : { text: writePairs(next), problem, over: value })
    setRows({ pairs: [...next], of: JSON.stringify(made) })
    onValue(value)
  }
  return { pairs, isTyped: draft !== undefined, set }
}

interface PairFieldsProps {
  pair: Pair
  names: { name: string; value: string }
  problem: string | undefined
  isSecret: PairsRowProps['isSecret']
  notation: Notation
  onChange: (pair: Pair) => void
  onRemove: () => void
}

function PairFields({ pair, names, problem, isSecret, notation, onChange, onRemove }: PairFieldsProps) {
  const { typed, events } = useBlurCommit({
    of: pair.name,
    onText: (text) => text !== pair.name && onChange(renamed(pair, text, isSecret)),
  })
  // The value input changes with the name while it is typed, so it doesn't jump when the focus moves to it.
  const { name, value } = renamed(pair, typed ?? pair.name, isSecret)
  const shownProblem = typed === undefined ? problem : undefined
  const onValue = (next: string) => onChange({ ...pair, value: next })
  return (
    <div className="flex items-start gap-1 rounded-control border border-line bg-sunken/50 p-1.5">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <input
          aria-label={names.name}
          aria-invalid={shownProblem !== undefined || undefined}
          value={name}
          placeholder="name"
          spellCheck={false}
          autoComplete="off"
          {...events}
          className={cx(inputLook, 'h-8 font-mono text-sm!')}
        />
        {isSecret?.(name) ? (
          <SecretValue label={names.value} value={value} onValue={onValue} />
        ) : (
          <CompletingRow
            label={names.value}
            notation={notation}
            value={value}
            placeholder="value"
            onText={onValue}
            className="max-h-40"
          />
        )}
        {shownProblem !== undefined && <p className="text-bad text-sm">{shownProblem}</p>}
      </div>
      <IconButton label={`Remove ${pair.name || 'row'}`} icon={X} isTiny onClick={onRemove} />
    </div>
  )
}

function SecretValue({ label, value, onValue }: { label: string; value: string; onValue: (value: string) => void }) {
  const secret = useSecretInput(value, 'value', onValue)
  return <input type="password" aria-label={label} {...secret} className={cx(inputLook, 'h-8 font-mono text-sm!')} />
}
