/** Computes its output: with JavaScript in a sandbox, or with one expression. */
import type { RunCode } from '#kernel/run-code.ts'
import { NodeFailure } from '../core/backoff.ts'
import type { ConfigOf, Executor, NodeCall } from '../shared/node-interface.ts'
import { type ExpressionNeeds, evaluateAll } from './expressions.ts'

type Call = NodeCall<ConfigOf<'code'>>

const defaultWallSec = 30
/** Sandboxes are shared by all, so none is held for long. */
const maxWallSec = 60

export const code =
  (needs: ExpressionNeeds & { runCode: RunCode }): Executor<ConfigOf<'code'>> =>
  async (call) => {
    if (call.config.language === 'expression') {
      const [value] = await evaluateAll(needs, call, [call.config.code])
      return { kind: 'done', output: value }
    }
    return { kind: 'done', output: await runJavaScript(needs.runCode, call) }
  }

const runJavaScript = async (runCode: RunCode, call: Call): Promise<unknown> => {
  const { config, run, node, state, input, event, signal, log } = call
  const outcome = await runCode({
    tenantId: run.scopeId,
    ownerId: `${run.workflowId} ${node.id}`,
    code: config.code,
    args: { input, state, event },
    wallMs: Math.min(config.timeout_sec ?? defaultWallSec, maxWallSec) * 1000,
    signal,
    onLog: log,
  })
  if (outcome.kind === 'value') return outcome.value
  const { reason, message, line } = outcome
  throw new NodeFailure(line === null ? message : `Line ${line}: ${message}`, {
    canRetry: reason === 'interrupted',
    output: { code: `code_${reason}`, line },
  })
}
