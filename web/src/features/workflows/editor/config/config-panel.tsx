/** The settings of the selected node, beside the canvas or below it on a phone. */
import type { Graph, GraphNode } from '@chancery/contract/workflows/graph.ts'
import { CopyPlus, Trash2, X } from 'lucide-react'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'
import { IconButton } from '#ui/button/button.tsx'
import { CopyButton } from '#ui/feedback/copy-button.tsx'
import { Field } from '#ui/form/field.tsx'
import { TextInput } from '#ui/form/inputs.tsx'
import { knownValues } from '../../completion/known-values.ts'
import { nodeKinds } from '../../kinds/node-kinds.ts'
import { nodeForms } from '../forms/node-forms.tsx'
import { ConfigContext } from '../rows/config-context.ts'
import { useParsedText } from '../rows/use-parsed-text.ts'
import type { Join } from '../state/graph-edits.ts'
import type { LocatedProblem } from '../state/problems.ts'
import { useSamples } from '../use-samples.ts'
import { ReadableSection } from './available-data.tsx'
import { FailureSection } from './failure-section.tsx'
import { OutputsSection } from './outputs-section.tsx'

export interface NodeActions {
  onRename: (name: string) => void
  onConfigure: (patch: GraphNode['config']) => void
  onRenameOutput: (from: string, to: string, patch: GraphNode['config']) => void
  onJoin: (join: Join) => void
  onCut: (edgeId: string) => void
  onDuplicate: () => void
  onDelete: () => void
  onClose: () => void
}

interface ConfigPanelProps extends NodeActions {
  graph: Graph
  node: GraphNode
  ownId: string
  hrefOf: (workflowId: string) => string
  problems: readonly LocatedProblem[]
  /** The field to focus; cleared once it has the focus. */
  wanted: string | undefined
  onArrived: () => void
  /** Below the settings. */
  children: ReactNode
}

export const sidePanelLook =
  'z-10 flex w-full shrink-0 flex-col border-l bg-surface max-sm:max-h-[58%] max-sm:rounded-t-panel max-sm:border-t max-sm:shadow-float sm:w-90'

export function ConfigPanel(props: ConfigPanelProps) {
  const { graph, node, ownId, hrefOf, problems, wanted, onArrived, onConfigure } = props
  const elementRef = useRef<HTMLElement>(null)
  const Form = nodeForms[node.type]
  const samples = useSamples(ownId)
  const known = useMemo(() => knownValues(graph, node.id, samples), [graph, node.id, samples])
  const context = useMemo(
    () => ({
      nodeId: node.id,
      config: node.config,
      known,
      problems: byField(
        problems.filter(({ isHint }) => !isHint),
        node.id,
      ),
      hints: byField(
        problems.filter(({ isHint }) => isHint),
        node.id,
      ),
      change: onConfigure,
    }),
    [node, known, problems, onConfigure],
  )
  useEffect(() => {
    if (wanted === undefined) return
    focusField(elementRef.current, wanted)
    onArrived()
  }, [wanted, onArrived])
  const loose = problems.filter(({ nodeId, field }) => nodeId === node.id && field === undefined)
  return (
    <aside ref={elementRef} aria-label={`Settings of ${node.name}`} className={sidePanelLook}>
      <PanelHeader {...props} />
      <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 pt-1 pb-6">
        {loose.map(({ key, message }) => (
          <p key={key} className="rounded-control bg-bad-wash px-3 py-2 text-bad text-sm">
            {message}
          </p>
        ))}
        <ConfigContext value={context}>
          <NameField key={node.id} node={node} onRename={props.onRename} />
          <Form key={`${node.id}-form`} ownId={ownId} hrefOf={hrefOf} onRenameOutput={props.onRenameOutput} />
          <FailureSection key={`${node.id}-failure`} />
        </ConfigContext>
        <OutputsSection graph={graph} node={node} onJoin={props.onJoin} onCut={props.onCut} />
        <ReadableSection graph={graph} nodeId={node.id} />
        {props.children}
      </div>
    </aside>
  )
}

/** The first problem of each field. */
function byField(problems: readonly LocatedProblem[], id: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const { nodeId, field, part, message } of problems)
    if (nodeId === id && field !== undefined && !found.has(field))
      found.set(field, part === undefined ? message : `${part}: ${message}`)
  return found
}

function focusField(panel: HTMLElement | null, field: string) {
  const control = panel?.querySelector<HTMLElement>(`[name="${CSS.escape(field)}"]`)
  control?.closest('details')?.setAttribute('open', '')
  control?.scrollIntoView({ block: 'center' })
  control?.focus()
}

function PanelHeader({ node, onDuplicate, onDelete, onClose }: ConfigPanelProps) {
  const { label, icon: Icon, purpose } = nodeKinds[node.type]
  return (
    <header className="flex items-start gap-2 px-4 pt-3 pb-2">
      <span className="mt-0.5 flex size-8 shrink-0 items-center justify-center rounded-control bg-sunken text-soft">
        <Icon aria-hidden className="size-4" />
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="font-medium">{label}</h2>
        <p className="text-faint text-xs">{purpose}</p>
        <p className="mt-0.5 flex items-center gap-1 font-mono text-faint text-xs">
          <span className="truncate">{node.id}</span>
          <CopyButton text={node.id} label="Copy node ID" />
        </p>
      </div>
      <div className="-mr-2 flex">
        <IconButton label="Duplicate node" icon={CopyPlus} onClick={onDuplicate} />
        <IconButton label="Delete node" icon={Trash2} onClick={onDelete} />
        <IconButton label="Close settings" icon={X} onClick={onClose} />
      </div>
    </header>
  )
}

/** A node always has a name: while the field is empty, the last name is kept. */
function NameField({ node, onRename }: { node: GraphNode; onRename: (name: string) => void }) {
  const { text, problem, onText } = useParsedText<string>({
    path: 'name',
    value: node.name,
    write: (name) => name ?? '',
    read: (typed) => (typed.trim() === '' ? { problem: 'Enter a name.' } : { value: typed }),
    onValue: (name) => name !== undefined && onRename(name),
  })
  return (
    <Field label="Name" name="name" problem={problem}>
      <TextInput value={text} maxLength={200} autoComplete="off" onChange={(event) => onText(event.target.value)} />
    </Field>
  )
}
