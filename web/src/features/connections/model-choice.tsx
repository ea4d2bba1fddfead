/** Chooses the models that a connection offers: all it lists, or a selection. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/button/button.tsx'
import { Check, Segmented } from '#ui/form/choices.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'

interface ModelChoiceProps {
  /** The models found by the last test. */
  listed: readonly string[]
  /** Undefined means all of them. */
  chosen: readonly string[] | undefined
  problem: string | undefined
  onChange: (chosen: readonly string[] | undefined) => void
}

const options = [
  { value: 'all', label: 'All models' },
  { value: 'some', label: 'Selected models' },
] as const

export function ModelChoice({ listed, chosen, problem, onChange }: ModelChoiceProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1.5">
        <p className="font-medium text-sm">Models</p>
        <Segmented
          legend="Models"
          name="models"
          value={chosen === undefined ? 'all' : 'some'}
          options={options}
          onChange={(value) => onChange(value === 'all' ? undefined : [])}
        />
        {problem !== undefined && <p className="text-bad text-sm">{problem}</p>}
      </div>
      {chosen !== undefined && <Choice listed={listed} chosen={chosen} onChange={onChange} />}
    </div>
  )
}

interface ChoiceProps {
  listed: readonly string[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

function Choice({ listed, chosen, onChange }: ChoiceProps) {
  const [typed, setTyped] = useState('')
  const names = [...new Set([...chosen, ...listed])].sort()
  const shown = names.filter((name) => name.toLowerCase().includes(typed.trim().toLowerCase()))
  const toggle = (name: string) =>
    onChange(chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name])
  const add = () => {
    const name = typed.trim()
    if (name !== '' && !chosen.includes(name)) onChange([...chosen, name])
    setTyped('')
  }
  return (
    <>
      <div className="flex items-end gap-2">
        <Field
          label="Find or add a model"
          name="model"
          className="flex-1"
          help="Test the connection to list its models. If it lists none, add them here."
        >
          <TextInput
            value={typed}
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return
              event.preventDefault()
              add()
            }}
          />
        </Field>
        <Button icon={Plus} className="mb-6.5 h-10" disabled={typed.trim() === ''} onClick={add}>
          Add
        </Button>
      </div>
      {shown.length > 0 && (
        <ul aria-label="Models to offer" className="max-h-56 overflow-y-auto rounded-control border">
          {shown.map((name) => (
            <li key={name} className="border-b last:border-b-0">
              <Check isOn={chosen.includes(name)} onChange={() => toggle(name)}>
                <span className="min-w-0 truncate font-mono text-sm">{name}</span>
              </Check>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
