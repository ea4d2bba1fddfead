/** A tool whose calls are seen in traces, without what they are given and what comes of them. */
import { activeSpan, openSpan, withSpan } from '#kernel/spans/span.ts'
import type { Tool } from './interface.ts'

export const traced = (tool: Tool): Tool =>
  activeSpan()
    ? {
        ...tool,
        run: (args, context) => {
          const span = openSpan(`execute_tool ${tool.name}`)
          span?.set({
            'gen_ai.operation.name': 'execute_tool',
            'gen_ai.tool.name': tool.name,
            'gen_ai.tool.type': 'function',
          })
          return withSpan(span, () => tool.run(args, context))
        },
      }
    : tool
