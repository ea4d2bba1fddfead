/** The result of testing a tool server. */
import { CircleCheck, CircleX } from 'lucide-react'
import { hasFieldProblems } from '#lib/problems/api-error.ts'
import { counted } from '#lib/text/counted.ts'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import type { useTestServer } from './api.ts'

interface TestResultProps {
  test: ReturnType<typeof useTestServer>
  hasSignIn: boolean
}

export function TestResult({ test, hasSignIn }: TestResultProps) {
  return (
    <div aria-live="polite" className="empty:hidden">
      {test.isError && !hasFieldProblems(test.error) && <ErrorPanel error={test.error} />}
      {test.isSuccess && <Result {...test.data} hasSignIn={hasSignIn} />}
    </div>
  )
}

type Names = readonly { name: string }[]

interface ResultProps {
  reachable: boolean
  problem: string | null
  tools: Names
  resources: Names
  prompts: Names
  hasSignIn: boolean
}

const shown = 8

function Result({ reachable, problem, tools, resources, prompts, hasSignIn }: ResultProps) {
  const Icon = reachable ? CircleCheck : CircleX
  const tone = reachable ? 'text-ok' : 'text-bad'
  return (
    <section aria-label="Test result" className="flex gap-3 rounded-panel border bg-sunken px-4 py-3">
      <Icon aria-hidden className={`mt-0.5 size-4.5 shrink-0 ${tone}`} />
      <div className="min-w-0">
        <p className={`font-medium ${tone}`}>{reachable ? 'Server works' : 'Server failed'}</p>
        {problem !== null && <p className="break-words text-sm">{problem}</p>}
        {reachable && hasSignIn && (
          <p className="text-soft text-sm">Its tools are listed once somebody has signed in.</p>
        )}
        {reachable && !hasSignIn && (
          <>
            <Offer word="tool" items={tools} />
            {resources.length > 0 && <Offer word="resource" items={resources} />}
            {prompts.length > 0 && <Offer word="prompt" items={prompts} />}
          </>
        )}
      </div>
    </section>
  )
}

const Offer = ({ word, items }: { word: string; items: Names }) => (
  <p className="text-soft text-sm">
    {counted(items.length, word)}
    {items.length > 0 && ': '}
    <span className="break-words font-mono text-xs">
      {items
        .slice(0, shown)
        .map(({ name }) => name)
        .join(', ')}
    </span>
    {items.length > shown && ` and ${items.length - shown} more`}
  </p>
)
