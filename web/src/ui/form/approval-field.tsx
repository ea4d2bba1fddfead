/** Chooses whether a person approves each call of a tool, and which of its functions run without asking. */
import { Check, Switch } from './choices.tsx'

export interface Approval {
  isNeeded: boolean
  exempt: readonly string[]
}

interface ApprovalFieldProps {
  value: Approval
  onChange: (value: Approval) => void
  /** As far as they are known. */
  functions: readonly string[]
}

export function ApprovalField({ value: { isNeeded, exempt }, onChange, functions }: ApprovalFieldProps) {
  const names = [...new Set([...functions, ...exempt])]
  const toggle = (name: string) =>
    onChange({ isNeeded, exempt: exempt.includes(name) ? exempt.filter((one) => one !== name) : [...exempt, name] })
  return (
    <div className="flex flex-col gap-3">
      <Switch
        label="Ask before each call"
        help="The person approves every call in the chat. Without an answer, the tool doesn’t run."
        isOn={isNeeded}
        onChange={(next) => onChange({ isNeeded: next, exempt })}
      />
      {isNeeded && names.length > 0 && (
        <fieldset className="max-h-60 overflow-y-auto rounded-control border">
          <legend className="ml-2 px-1 text-faint text-sm">Run without asking</legend>
          {names.map((name) => (
            <Check key={name} isOn={exempt.includes(name)} onChange={() => toggle(name)}>
              <span className="truncate font-mono text-sm">{name}</span>
            </Check>
          ))}
        </fieldset>
      )}
    </div>
  )
}
