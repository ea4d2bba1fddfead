/** Calls a node's executor, and gives it what it may see of its run. */

import type { GraphNode } from '@chancery/contract/workflows/graph.ts'
import { withMark } from '#kernel/loop-watch/mark.ts'
import { createTextBudget } from '#kernel/text-budget.ts'
import {
  type Filling,
  fillTemplates,
  kindOf,
  parseTemplate,
  pathText,
  renderTemplate,
  valueAt,
} from '#modules/workflow-graph/index.ts'
import { NodeFailure } from '../core/backoff.ts'
import { type Amount, addCost, type Tokens } from '../core/cost.ts'
import type { StepRow } from '../queries/steps.ts'
import type { Executor, NodeCall, NodeResult } from '../shared/node-interface.ts'
import { storableText } from '../shared/storable-json.ts'
import { dryNode } from './dry-node.ts'
import type { Redactor } from './redactor.ts'
import type { RunSession } from './run-session.ts'
import { attemptsAt, stateOf } from './run-state.ts'
import { inNodeSpan } from './trace-run.ts'

type Calling = Pick<NodeCall, 'signal' | 'waiting'> & { step: StepRow }

/** The result has none of the run's secrets, whichever node brings it. */
export const callNode = (session: RunSession, node: GraphNode, calling: Calling): NodeResult | Promise<NodeResult> => {
  const hide = (one: NodeResult) => hideInResult(session.redactor, one)
  return withMark({ what: `node ${node.type}`, owner: session.run.scopeId }, () =>
    inNodeSpan(session, { node, step: calling.step }, () => {
      const result = execute(session, node, calling)
      return result instanceof Promise ? result.then(hide) : hide(result)
    }),
  )
}

const hideInResult = ({ text, value }: Pick<Redactor, 'text' | 'value'>, result: NodeResult): NodeResult => {
  if (result.kind === 'done') {
    const { output, events } = result
    const shown = events?.map((event) => ({
      ...event,
      payload: value(event.payload),
      correlationId: event.correlationId && text(event.correlationId),
    }))
    return { ...result, output: value(output), ...(shown && { events: shown }) }
  }
  const { output, approval, children } = result
  return {
    ...result,
    ...(output !== undefined && { output: value(output) }),
    ...(approval && { approval: { ...approval, title: text(approval.title), message: text(approval.message) } }),
    ...(children && {
      children: children.map((child) => ('input' in child ? { ...child, input: value(child.input) } : child)),
    }),
  }
}

const execute = (
  session: RunSession,
  node: GraphNode,
  { step, signal, waiting }: Calling,
): NodeResult | Promise<NodeResult> => {
  const { context, executors, run, state } = session
  const executor = executors[node.type] as Executor<unknown>
  const seen = { state: stateOf(state, run.input), input: step.input, event: run.input._event ?? null }
  const templates = templatesOf(step, seen)
  if (run.isDry && kindOf(node.type).isOutward) {
    warn(step, 'This test reaches no other systems or people, so the node was not run.')
    return dryNode(node, templates)
  }
  return executor({
    run,
    node,
    config: node.config,
    ...seen,
    ...templates,
    step,
    waiting,
    signal,
    now: context.kernel.clock.now(),
    tokensBefore: attemptsAt(state, node.id).tokens,
    spend: (tokens, cost) => spend(session, step, { tokens, cost }),
    log: (line) => log(step, session.redactor.text(line)),
    hideFromRun: session.redactor.add,
    trace: { open: (number) => session.trace.open(step, number), saveSoon: session.saveTrace },
  })
}

const maxWarnings = 20
const maxWarningLength = 300

/** Saved with the step's next change. */
const warn = (step: StepRow, message: string): void => {
  const text = storableText(message, maxWarningLength)
  const known = step.warnings ?? []
  if (known.length < maxWarnings && !known.includes(text)) step.warnings = [...known, text]
}

const maxLogLines = 200
const maxLogLineLength = 1000

/** Saved with the step's next change. */
const log = (step: StepRow, line: string): void => {
  const known = step.logs ?? []
  if (known.length < maxLogLines) step.logs = [...known, storableText(line, maxLogLineLength)]
}

/** In characters, of everything that one call of a node fills in. */
const maxFilledLength = 8 * 1024 * 1024

const tooLong = () =>
  new NodeFailure('With its placeholders filled in, the text would have more than 8 million characters.', {
    canRetry: false,
    output: { code: 'text_too_long' },
  })

/** A node's result is found by its id too. Graphs in which one has the name of something else are not published any more. */
const templatesOf = (
  step: StepRow,
  { state, input, event }: Pick<NodeCall, 'state' | 'input' | 'event'>,
): Pick<NodeCall, 'render' | 'fill'> => {
  const values = { state, event, payload: valueAt(event, ['payload']), ...state, input }
  const filling: Filling = {
    values,
    budget: createTextBudget(maxFilledLength, tooLong),
    onMissing: (path) => warn(step, `{{ ${pathText(path)} }} leads nowhere, so it was left empty.`),
  }
  return {
    render: (template) => renderTemplate(parseTemplate(template), filling),
    fill: (value) => fillTemplates(value, filling),
  }
}

/** Adds to the step and the run in memory; saved with their next change. */
const spend = (
  { context, run, state }: RunSession,
  step: StepRow,
  { tokens, cost }: { tokens: Tokens; cost: Amount | null },
): void => {
  const { SVC_CURRENCY: currency } = context.kernel.config
  if (cost !== null) run.currency ??= currency
  // An amount in another currency, after a restart in between, can't be added to what is there.
  const added = run.currency === currency ? cost : null
  for (const one of [step, run]) {
    one.promptTokens += tokens.prompt
    one.completionTokens += tokens.completion
    addCost(one, added)
  }
  const attempts = attemptsAt(state, step.nodeId)
  state.attempts.set(step.nodeId, { ...attempts, tokens: attempts.tokens + tokens.prompt + tokens.completion })
}
