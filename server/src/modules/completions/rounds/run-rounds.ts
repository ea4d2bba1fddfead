/**
 * Calls the model, runs the tools it asks for, and calls it again with their results until it answers. The output is the
 * pieces of one reply: calls of our own tools are hidden, and usage is the sum of all rounds.
 */

import type { Actor } from '#kernel/http/actor.ts'
import { isJsonObject } from '#kernel/json/is-json-object.ts'
import type { CallOrigin, ModelAnswer, ProviderRequest, ResolvedModel } from '#modules/models/index.ts'
import { type Chunk, contentChunk, deltaOf, isOnlyUsage, messageOf, usageOf } from './chunk.ts'
import { type FilterChunk, filterWhole } from './filter-whole.ts'
import { readChunks } from './read-chunks.ts'
import { runTools, type ToolRun } from './run-tools.ts'
import { sumUsage, type UsageCounts } from './sum-usage.ts'
import { assistantTurn, createToolCallPieces, type ToolCall, toolTurn, withoutToolCalls } from './tool-calls.ts'

export interface RoundsJob {
  actor: Actor
  model: ResolvedModel
  body: ProviderRequest
  /** Undefined if none of our own tools are used. */
  toolRun: ToolRun | undefined
  filterChunk: FilterChunk | undefined
  signal: AbortSignal
  origin: CallOrigin
}

export type Piece =
  /** The model has accepted the request: later failures can't become an HTTP status. */
  | { kind: 'open' }
  | { kind: 'chunk'; chunk: Chunk }
  | { kind: 'sources'; sources: unknown[] }
  /** The finished reply of a request that is not streamed. */
  | { kind: 'whole'; completion: Chunk }
  | { kind: 'usage'; usage: UsageCounts; like: Chunk }

/** After this many rounds the model gets no more tools and has to answer. */
const maxToolRounds = 16

interface Round {
  content: string
  calls: ToolCall[]
  usage: UsageCounts | undefined
  completion: Chunk | undefined
  last: Chunk
}

export async function* runRounds(job: RoundsJob): AsyncGenerator<Piece> {
  const { toolRun } = job
  let { body } = job
  let usage: UsageCounts | undefined
  let text = ''
  for (let number = 0; ; number++) {
    const isLast = !toolRun || number >= maxToolRounds
    const answer = await job.model.call({
      actor: job.actor,
      body: isLast && toolRun ? withoutTools(body) : body,
      signal: job.signal,
      origin: job.origin,
    })
    if (number === 0) yield { kind: 'open' }
    const round: Round = { content: '', calls: [], usage: undefined, completion: undefined, last: {} }
    yield* readRound(job, { answer, round, isAfterText: text !== '', isLast })
    text += round.content
    usage = sumUsage(usage, round.usage)
    if (isLast || round.calls.length === 0) {
      if (round.completion) {
        const completion = await filterWhole(job.filterChunk, round.completion)
        yield { kind: 'whole', completion: { ...completion, ...(usage && { usage }) } }
      } else if (usage) yield { kind: 'usage', usage, like: round.last }
      return
    }
    const results = await runTools(toolRun, round.calls)
    const sources = results.flatMap((result) => result.sources ?? [])
    if (sources.length > 0) yield { kind: 'sources', sources }
    const turns = round.calls.map((call, index) => toolTurn(call, results[index]?.content ?? ''))
    const messages = [...body.messages, assistantTurn(round.content, round.calls), ...turns]
    body = { ...withFreeChoice(body), messages }
  }
}

/** A forced choice holds for the first call only; kept, the model could never answer. */
const withFreeChoice = (body: ProviderRequest): ProviderRequest =>
  body.tool_choice === 'required' || isJsonObject(body.tool_choice) ? { ...body, tool_choice: 'auto' } : body

const withoutTools = ({
  tools: _tools,
  tool_choice: _choice,
  parallel_tool_calls: _parallel,
  ...body
}: ProviderRequest) => body as ProviderRequest

interface RoundReading {
  answer: ModelAnswer
  round: Round
  isAfterText: boolean
  isLast: boolean
}

async function* readRound(job: RoundsJob, { answer, round, isAfterText, isLast }: RoundReading): AsyncGenerator<Piece> {
  const pieces = createToolCallPieces()
  if (answer.kind === 'whole') {
    const { content, toolCalls } = messageOf(answer.completion)
    pieces.add(toolCalls)
    Object.assign(round, { content, calls: job.toolRun ? pieces.list() : [] })
    round.usage = usageOf(answer.completion)
    round.completion = answer.completion
    return
  }
  for await (const chunk of readChunks(answer.flow)) {
    const { content, toolCalls } = deltaOf(chunk)
    pieces.add(toolCalls)
    round.usage = usageOf(chunk) ?? round.usage
    round.last = chunk
    if (isOnlyUsage(chunk)) continue
    // Text before a tool call and text after it are two paragraphs.
    if (content !== '' && round.content === '' && isAfterText)
      yield { kind: 'chunk', chunk: contentChunk(chunk, '\n\n') }
    round.content += content
    const shown = await shownOf(job, chunk, { continues: !isLast && pieces.list().length > 0 })
    if (shown) yield { kind: 'chunk', chunk: shown }
  }
  round.calls = job.toolRun ? pieces.list() : []
}

const shownOf = async (job: RoundsJob, chunk: Chunk, round: { continues: boolean }): Promise<Chunk | null> => {
  const shown = job.toolRun ? withoutToolCalls(chunk, round) : chunk
  return shown && job.filterChunk ? await job.filterChunk(shown) : shown
}
