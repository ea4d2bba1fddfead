/** Runs one method of a plugin with arguments that are typed here. */
import type { Plugin, PluginTry } from '@chancery/contract/plugins/plugins.ts'
import { Play } from 'lucide-react'
import { useState } from 'react'
import { formatDuration } from '#lib/time/durations.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea } from '#ui/form/inputs.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { JsonView } from '#ui/values/json-view.tsx'
import { useTryPlugin } from './api.ts'
import { methodsOf, parseArgs, sampleArgs } from './try-args.ts'

export function TryPanel({ plugin }: { plugin: Plugin }) {
  const methods = methodsOf(plugin)
  const [method, setMethod] = useState(methods[0] ?? '')
  const [text, setText] = useState(() => sampleArgs(plugin, method))
  const [problem, setProblem] = useState<string>()
  const run = useTryPlugin(plugin)
  const choose = (next: string) => {
    setMethod(next)
    setText(sampleArgs(plugin, next))
  }
  const start = () => {
    const args = parseArgs(text)
    setProblem(args ? undefined : 'Enter a JSON object')
    if (args) run.mutate({ method, args })
  }
  return (
    <div className="flex flex-col gap-5">
      <p className="text-soft">
        Runs the saved source in its sandbox, as you. There is no chat, so events are listed below instead of shown.
      </p>
      <Field label="Method" name="method" className="max-w-xs">
        <Select value={method} onChange={({ target }) => choose(target.value)}>
          {methods.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </Select>
      </Field>
      <Field label="Arguments" name="args" problem={problem} help="A JSON object.">
        <TextArea
          rows={6}
          value={text}
          spellCheck={false}
          className="font-mono"
          onChange={({ target }) => setText(target.value)}
        />
      </Field>
      <Button look="primary" icon={Play} isPending={run.isPending} onClick={start} className="self-start">
        Run
      </Button>
      <div aria-live="polite">
        {run.isError && <ErrorPanel error={run.error} />}
        {run.isSuccess && <Outcome outcome={run.data} />}
      </div>
    </div>
  )
}

function Outcome({ outcome: { result, error, events, logs, duration_ms } }: { outcome: PluginTry }) {
  return (
    <div className="flex flex-col gap-4">
      <p className="flex items-center gap-2">
        <Badge tone={error === null ? 'good' : 'bad'}>{error === null ? 'Returned' : 'Failed'}</Badge>
        <span className="figures text-faint text-sm">{formatDuration(duration_ms)}</span>
      </p>
      {error === null ? <JsonView label="Result" value={result} /> : <JsonView label="Error" value={error} />}
      {events.length > 0 && <JsonView label="Events" value={events} />}
      {logs.length > 0 && (
        <JsonView label="Log" value={logs.map(({ level, text }) => `${level}: ${text}`).join('\n')} />
      )}
    </div>
  )
}
