/** Asking models: completions, their stream, embeddings, and the list of models. */
import { complete, createMessage } from '../../../contract/src/endpoints/completions.ts'
import { listModels } from '../../../contract/src/endpoints/models.ts'
import type { Example } from './example.ts'
import { example, sample } from './example.ts'

const completion = {
  id: 'chatcmpl-8c0e2a4b6d17',
  object: 'chat.completion',
  created: sample.seconds,
  model: 'llama3.2:3b',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: 'A chancery writes and seals documents.' },
      finish_reason: 'stop',
    },
  ],
  usage: { prompt_tokens: 14, completion_tokens: 9, total_tokens: 23 },
}

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({
    id: completion.id,
    object: 'chat.completion.chunk',
    created: completion.created,
    model: completion.model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`

const stream = [
  chunk({ role: 'assistant', content: 'A chancery' }, null),
  chunk({ content: ' writes and seals documents.' }, null),
  chunk({}, 'stop'),
  'data: [DONE]\n\n',
].join('')

const embeddings: Example = {
  note: 'Also at `/upstream/v1/embeddings`. `input` is one text, or a list of texts.',
  body: { model: 'nomic-embed-text', input: ['What does a chancery do?'] },
  raw: {
    'application/json': {
      object: 'list',
      model: 'nomic-embed-text',
      data: [{ object: 'embedding', index: 0, embedding: [0.0123, -0.0456, 0.0789] }],
      usage: { prompt_tokens: 6, total_tokens: 6 },
    },
  },
  errors: ['model_not_found', 'usage_limit_reached'],
}

export const modelExamples: [string, Example][] = [
  example(complete, {
    note: "The format of common SDKs: give them this instance's `/api` as their base URL. With `stream: true` the reply is server-sent events, and ends with `data: [DONE]`.",
    body: {
      model: 'llama3.2:3b',
      messages: [{ role: 'user', content: 'What does a chancery do?' }],
      temperature: 0.2,
      stream: false,
    },
    raw: { 'application/json': completion, 'text/event-stream': stream },
    errors: ['model_not_found', 'usage_limit_reached'],
  }),
  example(createMessage, {
    body: {
      model: 'llama3.2:3b',
      max_tokens: 400,
      messages: [{ role: 'user', content: 'What does a chancery do?' }],
    },
    raw: {
      'application/json': {
        id: 'msg_8c0e2a4b6d17',
        type: 'message',
        role: 'assistant',
        model: 'llama3.2:3b',
        content: [{ type: 'text', text: 'A chancery writes and seals documents.' }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 14, output_tokens: 9 },
      },
    },
    errors: ['model_not_found', 'usage_limit_reached'],
  }),
  ['POST /api/embeddings', embeddings],
  example(listModels, {
    note: 'The models that you may use, as completions name them.',
    reply: {
      object: 'list',
      data: [
        {
          id: 'llama3.2:3b',
          name: 'Llama 3.2',
          object: 'model',
          created: sample.seconds,
          owned_by: 'ollama',
          connection_type: 'local',
          tags: [],
        },
      ],
    },
  }),
]
