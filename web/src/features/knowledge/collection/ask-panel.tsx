/** Tries a question against the collection and shows each passage with its score and the reason it was found. */
import type { QueryReply, Reason } from '@chancery/contract/files/knowledge.ts'
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { fromMatch, matchedParts } from '#lib/text/matched-words.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel, Loading, Skeleton } from '#ui/feedback/states.tsx'
import { inputLook } from '#ui/form/inputs.tsx'
import { Panel } from '#ui/page/layout.tsx'
import { Badge } from '#ui/values/badge.tsx'
import { MarkedText } from '#ui/values/marked-text.tsx'
import { useAsk } from '../api.ts'
import { AskFilter, emptyDraft } from './ask-filter.tsx'
import { filterOf } from './filter-of.ts'
import { reasonText } from './reason-text.ts'

interface AskPanelProps {
  collectionId: string
  onOpen: (fileId: string) => void
}

export function AskPanel({ collectionId, onOpen }: AskPanelProps) {
  const ask = useAsk(collectionId)
  const [text, setText] = useState('')
  const [draft, setDraft] = useState(emptyDraft)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') ask.mutate({ query: text.trim(), filter: filterOf(draft) })
  }
  return (
    <Panel title="Try a question" hint="See which passages a chat or an agent would get.">
      <form onSubmit={onSubmit} className="flex gap-2">
        <input
          type="search"
          aria-label="Question"
          placeholder="How many days of leave do I have?"
          maxLength={2000}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className={`${inputLook} h-9 min-w-0 flex-1`}
        />
        <Button type="submit" icon={Search} isPending={ask.isPending}>
          Search
        </Button>
      </form>
      <AskFilter draft={draft} onChange={setDraft} />
      <div aria-live="polite" className="mt-4 empty:mt-0">
        {ask.isPending && <PassagesSkeleton />}
        {ask.isError && <ErrorPanel error={ask.error} />}
        {ask.isSuccess && <Passages reply={ask.data} question={ask.variables.query} onOpen={onOpen} />}
      </div>
    </Panel>
  )
}

interface PassagesProps {
  reply: QueryReply
  question: string
  onOpen: (fileId: string) => void
}

function Passages({ reply, question, onOpen }: PassagesProps) {
  const [texts = [], facts = [], scores = []] = [reply.documents[0], reply.metadatas[0], reply.distances[0]]
  if (texts.length === 0) return <p className="text-soft">No passage matches. Try other words.</p>
  return (
    <ol aria-label="Passages" className="flex flex-col divide-y divide-line">
      {texts.map((text, index) => {
        const { file_id = '', name = '', page, heading } = facts[index] ?? {}
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: passages are shown in their order and never reorder
          <li key={index} className="flex flex-col gap-1.5 py-3.5 first:pt-0 last:pb-0">
            <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
              <button
                type="button"
                onClick={() => onOpen(file_id)}
                className="text-left font-medium underline decoration-rule underline-offset-4 [overflow-wrap:anywhere] hover:decoration-seal"
              >
                {name}
              </button>
              {page !== undefined && <span className="text-faint">page {page}</span>}
              {heading !== undefined && <span className="text-faint">{heading}</span>}
              <span className="ml-auto">
                <Badge>
                  <span className="figures">{(scores[index] ?? 0).toFixed(2)}</span>
                  <span className="sr-only"> score</span>
                </Badge>
              </span>
            </p>
            <p className="line-clamp-6 whitespace-pre-wrap text-soft [overflow-wrap:anywhere]">
              <MarkedText parts={matchedParts(fromMatch(text, question), question)} />
            </p>
            <Why reason={reply.reasons?.[0]?.[index]} />
          </li>
        )
      })}
    </ol>
  )
}

const Why = ({ reason }: { reason: Reason | undefined }) =>
  reason ? <p className="text-faint text-sm">{reasonText(reason)}</p> : null

const PassagesSkeleton = () => (
  <Loading label="Searching">
    <div className="flex flex-col gap-3">
      <Skeleton className="h-4 w-1/3" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-4/5" />
    </div>
  </Loading>
)
