/**
 * The fields of a request with which a caller could steer a provider: to another server, with another key, or to another
 * model than the one that was checked. No request leaves with one of them, whatever door it came through.
 */
import { foldName } from './fold-name.ts'

const steeringFields = new Set([
  // The address and the credential of a call, as relays read them.
  'api_base',
  'base_url',
  'url',
  'api_key',
  'api_type',
  'api_version',
  'headers',
  'extra_headers',
  'extra_body',
  'extra_query',
  'custom_llm_provider',
  'user_config',
  'aws_sts_endpoint',
  'aws_web_identity_token',
  'aws_bedrock_runtime_endpoint',
  'vertex_credentials',
  // Other models behind the same key.
  'models',
  'model_list',
  'fallbacks',
])

/** In any case of letters. */
export const isSteeringField = (name: string): boolean => steeringFields.has(foldName(name))

/** For a test of every door. */
export const allSteeringFields: readonly string[] = [...steeringFields]
