/** From a source to what it is: the module is loaded in a sandbox, and what it says about itself is checked. */
import type { PluginKind } from '@chancery/contract/plugins/plugins.ts'
import { AppError } from '#kernel/errors.ts'
import type { Actor } from '#kernel/http/actor.ts'
import { scopeOf } from '#kernel/http/scope.ts'
import { createFetcher } from '../calling/fetch-for-plugin.ts'
import type { PluginsContext } from '../context.ts'
import { type PluginCode, PluginFailure } from '../runtime/index.ts'
import { openValves } from '../valves/valves.ts'
import { readToolMethods } from './read-tool-methods.ts'
import { type PluginSpec, readPipes, readSpec } from './spec.ts'

interface LoadedPlugin {
  kind: PluginKind
  spec: PluginSpec
  description: string
  manifest: Record<string, string>
}

interface Draft {
  id: string
  source: string
  valves: Record<string, unknown>
  actor: Actor
}

export const loadPlugin = async (
  { runtime, kernel, valveCheck }: Pick<PluginsContext, 'runtime' | 'kernel' | 'valveCheck'>,
  { id, source, valves, actor }: Draft,
): Promise<LoadedPlugin> => {
  const version = `draft ${kernel.ids.next()}`
  const code = { id, version, source, valves: JSON.stringify(valves) }
  const { kind, spec, description } = readSpec(await describe(runtime, code), await readToolMethods(source))
  if (kind === 'pipe' && spec.hasDynamicPipes) spec.pipes = readPipes(await listPipes({ runtime, kernel }, code))
  await valveCheck.assertSchema(spec.valves, scopeOf(actor))
  await valveCheck.assertSchema(spec.userValves, scopeOf(actor))
  const manifest = readManifest(source)
  return { kind, spec, description: description ?? manifest.description ?? '', manifest }
}

const describe = async (runtime: PluginsContext['runtime'], code: PluginCode): Promise<unknown> => {
  try {
    return await runtime.describe(code)
  } catch (problem) {
    if (!(problem instanceof PluginFailure)) throw problem
    throw new AppError('plugin_invalid', { detail: `The plugin can't be loaded. ${problem.message}`.slice(0, 1000) })
  }
}

const listMs = 30_000

/** A pipe may ask its provider which models there are. */
const listPipes = async (
  { runtime, kernel }: Pick<PluginsContext, 'runtime' | 'kernel'>,
  code: PluginCode,
): Promise<unknown> => {
  const fetcher = createFetcher(kernel.outbound)
  try {
    const outcome = await runtime.call(code, {
      target: 'Pipe',
      method: 'pipes',
      args: [],
      helpers: {},
      answer: fetcher.answer,
      onEmit: () => undefined,
      onLog: () => undefined,
      wallMs: listMs,
    })
    return outcome.kind === 'value' ? outcome.value : []
  } catch (problem) {
    if (!(problem instanceof PluginFailure)) throw problem
    throw new AppError('plugin_invalid', {
      detail: `The models of the pipe can't be listed. ${problem.message}`.slice(0, 1000),
    })
  } finally {
    fetcher.close()
  }
}

/** `title: Weather` and the like in the first comment of the file. */
export const readManifest = (source: string): Record<string, string> => {
  const comment = /^\s*\/\*\*?([\s\S]{0,4000}?)\*\//.exec(source)?.[1] ?? ''
  const fields = [
    ...comment.matchAll(/^\s*\*?\s*@?(title|author|version|license|description|url|icon|tools):?\s+(.{1,500})$/gm),
  ]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value.trim()]))
}

interface Stored {
  id: string
  version: number
  source: string
  sealedValves: string | null
}

/** The code of a stored plugin, made once for each version. */
export const createCodeOf = ({ kernel }: Pick<PluginsContext, 'kernel'>): ((plugin: Stored) => PluginCode) => {
  const made = new Map<string, PluginCode>()
  return (plugin) => {
    const version = String(plugin.version)
    const known = made.get(plugin.id)
    if (known?.version === version) return known
    const code = {
      id: plugin.id,
      version,
      source: plugin.source,
      valves: JSON.stringify(openValves({ kernel }, plugin)),
    }
    made.set(plugin.id, code)
    return code
  }
}
