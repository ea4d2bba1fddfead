/** One piece of the tab's background work, with its progress or what came of it. */
import { X } from 'lucide-react'
import { dropWork, stopWork, type TabWork } from '#lib/tab/tab-work.ts'
import { counted } from '#lib/text/counted.ts'
import { IconButton } from '#ui/button/button.tsx'

export function WorkRow({ work }: { work: TabWork }) {
  const { id, name, word, part, state, problems } = work
  const isRunning = state === 'running'
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2">
      <span className="min-w-0 flex-1 basis-40 truncate">{name}</span>
      {isRunning && part !== undefined && (
        <progress aria-label={`Progress of ${name}`} value={part} max={1} className="h-1.5 w-28 accent-seal" />
      )}
      <span className={state === 'failed' ? 'text-bad text-sm' : 'figures text-soft text-sm'}>{word}</span>
      <IconButton
        label={isRunning ? `Stop ${name}` : `Dismiss ${name}`}
        icon={X}
        isTiny
        onClick={() => (isRunning ? stopWork(id) : dropWork(id))}
      />
      {problems.length > 0 && (
        <details className="w-full text-sm">
          <summary className="cursor-pointer text-faint">{counted(problems.length, 'problem')}</summary>
          <ul className="mt-1 flex max-h-48 flex-col gap-1 overflow-y-auto text-soft">
            {problems.map((problem, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two may read the same; the list never changes
              <li key={index} className="[overflow-wrap:anywhere]">
                {problem}
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}
