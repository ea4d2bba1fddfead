/**
 * The servers that models and workflows call, in a process of its own: a model that answers at once, and what a hostile
 * tenant runs. The first word of a question says how the model behaves. Prints its address.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { slowPieceMs, slowPieces } from '../traffic/slow-answer.ts'
import { answerMcp } from './mcp-peer.ts'

const model = process.argv[2] ?? 'swift'
const slowMs = 50_000
const pieces = 100_000
/** The tokens of the answers to `SPEND`, which are as long as they may be. */
let said = 0

interface Question {
  model: string
  stream?: boolean
  n?: number
  max_tokens?: number
  messages: { content: unknown }[]
}

const frame = (body: object): string => `data: ${JSON.stringify({ id: 'c', model, created: 1, ...body })}\n\n`
const piece = (content: string, finish_reason: string | null = null): string =>
  frame({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content }, finish_reason }] })
const events = { 'content-type': 'text/event-stream' }
const json = { 'content-type': 'application/json' }

const usualTokens = 5

const answerPlainly = (
  response: ServerResponse,
  { stream, model: asked }: Question,
  tokens = asked === 'lying' ? 9e11 : usualTokens,
): void => {
  const usage = { prompt_tokens: usualTokens, completion_tokens: tokens, total_tokens: usualTokens + tokens }
  if (stream) {
    const end = frame({ object: 'chat.completion.chunk', choices: [], usage })
    response.writeHead(200, events).end(`${piece('Fine.')}${piece('', 'stop')}${end}data: [DONE]\n\n`)
    return
  }
  const choices = [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }]
  const whole = { id: 'c', object: 'chat.completion', created: 1, model: asked, choices, usage }
  response.writeHead(200, json).end(JSON.stringify(whole))
}

const answerSlowly = async (response: ServerResponse): Promise<void> => {
  response.writeHead(200, events)
  for (const text of slowPieces) {
    response.write(piece(text))
    await sleep(slowPieceMs)
  }
  response.end(`${piece('', 'stop')}data: [DONE]\n\n`)
}

const behaviours: Record<string, (response: ServerResponse, question: Question) => void> = {
  BREAK: (response) => response.writeHead(200, events).end(frame({ error: { message: 'Something went wrong' } })),
  HANG: () => undefined,
  PIECES: (response) => {
    response.writeHead(200, events)
    const all = Array.from({ length: pieces }, (_, index) => piece(`${index % 10}`)).join('')
    response.end(`${all}data: [DONE]\n\n`)
  },
  SLOWLY: (response) => void answerSlowly(response),
  SPEND: (response, question) => {
    const tokens = (question.n ?? 1) * (question.max_tokens ?? 0)
    said += tokens
    answerPlainly(response, question, tokens)
  },
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const body = await text(request)
  const path = request.url ?? ''
  if (path === '/v1/models')
    response.writeHead(200, json).end(JSON.stringify({ object: 'list', data: [{ id: model, object: 'model' }] }))
  else if (path.startsWith('/slow')) setTimeout(() => response.end('at last'), slowMs)
  else if (path === '/said') response.end(String(said))
  else if (path.startsWith('/mcp/')) answerMcp(path, { method: request.method ?? '', body }, response)
  else if (path === '/v1/chat/completions') {
    const question = JSON.parse(body) as Question
    const word = /[A-Z]{4,}/.exec(String(question.messages.at(-1)?.content))?.[0] ?? ''
    const behave = behaviours[word] ?? answerPlainly
    behave(response, question)
  } else response.writeHead(404).end()
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  answer(request, response).catch(() => response.destroy())
})
server.listen({ port: 0, host: '127.0.0.1', backlog: 2048 }, () => {
  const address = server.address()
  process.stdout.write(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}\n`)
})
