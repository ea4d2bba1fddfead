/**
 * Takes the secrets among the settings out of a text. What a plugin logs is read by administrators, who may not know a
 * person's own secret, and what it throws by the model and by everybody who uses it.
 */
import { secretPlaceholder } from '@chancery/contract/plugins/plugins.ts'
import type { PluginRecord } from '../catalog.ts'
import type { PluginsContext } from '../context.ts'
import { openValves, secretsIn } from './valves.ts'

export const createHider = (
  context: PluginsContext,
  record: PluginRecord,
  userValves: Record<string, unknown>,
): ((text: string) => string) => {
  let secrets: string[] | undefined
  return (text) => {
    secrets ??= [
      ...secretsIn(record.spec.valves, openValves(context, record)),
      ...secretsIn(record.spec.userValves, userValves),
    ]
    return secrets.reduce((shown, secret) => shown.replaceAll(secret, secretPlaceholder), text)
  }
}
