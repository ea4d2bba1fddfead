/** Tries the selected node alone, and shows the result beside its settings. */
import type { ListedEvent } from '@chancery/contract/workflows/events.ts'
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { useMutation } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { useState } from 'react'
import { usePerson } from '#data/viewer.ts'
import { readStored, store } from '#lib/browser/browser-storage.ts'
import { formatRelative } from '#lib/time/times.ts'
import { Button } from '#ui/button/button.tsx'
import { ErrorPanel } from '#ui/feedback/states.tsx'
import { Field } from '#ui/form/field.tsx'
import { Select, TextArea } from '#ui/form/inputs.tsx'
import { upstreamOf } from '../../graph/upstream.ts'
import { readJson, writeJson } from '../../json-text.ts'
import { EffectsChoice } from '../../run-now/effects-choice.tsx'
import { inputChoice } from '../../run-now/event-draft.ts'
import { useEventChoices } from '../../run-now/use-event-choices.ts'
import { startTestRun } from '../api.ts'
import { FillFromRun } from './fill-from-run.tsx'
import { draftFor, firstTest, outputsChoice, sourcesOf, testBody } from './test-draft.ts'
import { TestResult } from './test-result.tsx'

export interface TestSectionProps {
  workflowId: string
  graph: Graph
  node: GraphNode
  /** Saves what was typed: the saved draft is what runs. */
  flush: () => Promise<unknown>
}

export function TestSection(props: TestSectionProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-label="Test this node" className="flex flex-col gap-3 border-t pt-3">
      {isOpen ? (
        <LoadedForm {...props} />
      ) : (
        <Button onClick={() => setOpen(true)}>
          <FlaskConical aria-hidden className="size-4" />
          Test this node
        </Button>
      )}
    </section>
  )
}

function LoadedForm(props: TestSectionProps) {
  const { events, isPending } = useEventChoices(props.workflowId)
  return isPending ? (
    <p className="text-soft text-sm">Loading recent events…</p>
  ) : (
    <TestForm {...props} events={events} />
  )
}

function TestForm({ workflowId, graph, node, flush, events }: TestSectionProps & { events: readonly ListedEvent[] }) {
  const { id: personId } = usePerson()
  const storageKey = `node-test.${personId}.${workflowId}.${node.id}`
  const sources = sourcesOf(graph, node.id)
  const [draft, setDraft] = useState(() => firstTest(sources, events, readStored(storageKey)))
  const [isDry, setDry] = useState(true)
  const [problem, setProblem] = useState<string>()
  const start = useMutation({
    mutationFn: async (body: object) => {
      await flush()
      return startTestRun(workflowId, body)
    },
  })
  const onStart = () => {
    const read = readJson(draft.text)
    setProblem(read.problem)
    if (read.problem !== undefined) return
    store(storageKey, JSON.stringify(draft))
    start.mutate({ ...testBody(draft, read.value, events), node_id: node.id, effects: !isDry })
  }
  return (
    <>
      <Field label="Test with" name="test-choice">
        <Select value={draft.choice} onChange={(event) => setDraft(draftFor(event.target.value, sources, events))}>
          {sources.length > 0 && <option value={outputsChoice}>Outputs of the nodes before</option>}
          {events.map(({ event_id, event_type, published_at }) => (
            <option key={event_id} value={event_id}>
              {event_type} · {formatRelative(new Date(published_at), new Date())}
            </option>
          ))}
          <option value={inputChoice}>An input</option>
        </Select>
      </Field>
      {draft.choice === outputsChoice && (
        <FillFromRun
          workflowId={workflowId}
          nodeIds={upstreamOf(graph, node.id).map(({ id }) => id)}
          onFill={(outputs) => setDraft({ choice: outputsChoice, text: writeJson(outputs) })}
        />
      )}
      <Field
        label="Sample"
        name="test-sample"
        problem={problem}
        help="JSON. It is kept in this browser for the next test."
      >
        <TextArea
          rows={5}
          spellCheck={false}
          value={draft.text}
          onChange={(event) => setDraft({ ...draft, text: event.target.value })}
          className="font-mono"
        />
      </Field>
      <EffectsChoice isDry={isDry} onChange={setDry} />
      <Button isPending={start.isPending} onClick={onStart}>
        Run this node
      </Button>
      {start.isError && <ErrorPanel error={start.error} />}
      {start.data && <TestResult key={start.data.id} runId={start.data.id} nodeId={node.id} />}
    </>
  )
}
