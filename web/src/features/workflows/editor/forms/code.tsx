/** Form of the code node: JavaScript or one expression. */
import { lazy, Suspense } from 'react'
import { Skeleton } from '#ui/feedback/states.tsx'
import { Segmented } from '#ui/form/choices.tsx'
import { textAt, useNodeConfig } from '../rows/config-context.ts'
import { overState } from '../rows/form-help.tsx'
import { ExpressionRow } from '../rows/text-rows.tsx'

const CodeEditor = lazy(async () => ({ default: (await import('#ui/form/code-editor.tsx')).CodeEditor }))

const languages = [
  { value: 'javascript', label: 'JavaScript' },
  { value: 'expression', label: 'Expression' },
] as const

export function CodeForm() {
  const { nodeId, config, change } = useNodeConfig()
  const isExpression = config.language === 'expression'
  return (
    <>
      <Segmented
        legend="Language"
        name={`language-${nodeId}`}
        value={isExpression ? 'expression' : 'javascript'}
        options={languages}
        onChange={(language) => change({ language: language === 'javascript' ? undefined : language })}
      />
      {isExpression ? (
        <ExpressionRow
          name="code"
          label="Expression"
          isRequired
          placeholder={'sum(line["price"] for line in input["lines"])'}
          help={overState}
        />
      ) : (
        <JavaScriptRow />
      )}
    </>
  )
}

function JavaScriptRow() {
  const { nodeId, config, problems, change } = useNodeConfig()
  const problem = problems.get('code')
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-medium text-sm">Code</p>
      <Suspense fallback={<Skeleton className="h-72" />}>
        <CodeEditor
          key={nodeId}
          label="Code"
          name="code"
          className="h-72"
          value={textAt(config, 'code')}
          onChange={(code) => change({ code })}
        />
      </Suspense>
      {problem !== undefined && <p className="text-bad text-sm">{problem}</p>}
      <p className="text-faint text-sm">
        Use <code>input</code>, <code>state</code> and <code>event</code>, and <code>return</code> the output. There is
        no network. <code>console.log</code> shows in the run.
      </p>
    </div>
  )
}
