/** `builtin:calculator`: arithmetic, by the evaluator that also runs filter expressions, off the server's thread. */
import { AppError } from '#kernel/errors.ts'
import type { Kernel } from '#kernel/kernel.ts'
import { builtinSource, type ToolSource } from '#modules/tools/index.ts'

const maxLength = 500

export const calculator = ({ expressions }: Pick<Kernel, 'expressions'>): ToolSource =>
  builtinSource({
    id: 'builtin:calculator',
    name: 'Calculator',
    description: 'Calculates exactly.',
    tools: [
      {
        name: 'calculate',
        routes: [],
        description: 'The value of an arithmetic expression, such as (12.5 * 3) / 7 or 2 ** 10 % 7.',
        parameters: {
          type: 'object',
          properties: { expression: { type: 'string', description: 'Numbers and + - * / // % ** ( ).' } },
          required: ['expression'],
        },
        run: async ({ expression }) => {
          if (typeof expression !== 'string' || expression.length > maxLength)
            throw new AppError('tool_failed', { detail: 'expression is missing or too long.' })
          const [value] = await expressions
            .evaluateAll({ names: [], values: [], texts: [expression] })
            .catch((problem: Error) => {
              throw new AppError('tool_failed', { detail: `It can't be calculated: ${problem.message.slice(0, 200)}` })
            })
          return { content: JSON.stringify(value) ?? 'null' }
        },
      },
    ],
  })
