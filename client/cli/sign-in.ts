/** Signing in and out. */
import { hostname } from 'node:os'
import { Me } from '@chancery/contract/accounts/accounts.ts'
import type { DeviceToken } from '@chancery/contract/accounts/devices.ts'
import { startDevice, takeDeviceToken } from '@chancery/contract/endpoints/accounts.ts'
import { getMe } from '@chancery/contract/endpoints/entrance.ts'
import { ApiError, Client } from '../src/index.ts'
import { type Call, CliError, type Command, textOption } from './command.ts'
import { credentialsPath, forgetSignIn, readSignIn, type SignIn, saveSignIn } from './credentials.ts'

const whoIs = (client: Client) => client.call({ ...getMe, reply: Me })

const startCode = (client: Client) =>
  client.call(startDevice, { body: { name: `chancery on ${hostname()}`.slice(0, 120) } }).catch((error: unknown) => {
    const isOld = error instanceof ApiError && error.is('not_authenticated', 'not_found', 'unexpected_reply')
    if (!isOld) throw error
    throw new CliError(
      `${client.origin} can't sign this program in by code: it is older than this program, or not a Chancery server. Create an API key under Account, API keys, and run chancery login ${client.origin} --key KEY.`,
    )
  })

const askForToken = async (client: Client, { signal, note, wait }: Call['terminal']): Promise<DeviceToken> => {
  const { device_code, user_code, verification_uri_complete, interval } = await startCode(client)
  note(`Open ${verification_uri_complete} and confirm the code ${user_code}.`)
  for (;;) {
    try {
      return await client.call(takeDeviceToken, { body: { device_code }, signal })
    } catch (error) {
      if (!(error instanceof ApiError) || !error.is('authorization_pending')) throw error
    }
    await wait(interval * 1000, signal)
  }
}

const signInAt = async (url: string, call: Call): Promise<SignIn> => {
  const key = textOption(call, 'key')
  if (key !== undefined) return { url, token: key, expires_at: null }
  const { access_token: token, expires_in } = await askForToken(new Client({ url }), call.terminal)
  return { url, token, expires_at: Math.floor(Date.now() / 1000) + expires_in }
}

export const login: Command = {
  name: 'login',
  arguments: ['[URL]'],
  options: { key: { type: 'string' } },
  sentence: 'Sign in at a server: confirm a code in the web app, or give an API key.',
  details:
    'The key is kept in a file that only you can read. It ends after 90 days, and you can delete it under API keys.',
  run: async (call) => {
    const { terminal, given } = call
    const url = given[0] ?? terminal.env.CHANCERY_URL ?? (await readSignIn(terminal.env))?.url
    if (url === undefined || !URL.canParse(url))
      throw new CliError('Say where the server is, such as chancery login https://chancery.example.com')
    const signIn = await signInAt(url, call)
    const { name, email } = await whoIs(new Client(signIn))
    await saveSignIn(terminal.env, signIn)
    terminal.say(`Signed in at ${url} as ${name} (${email}). The key is in ${credentialsPath(terminal.env)}.`)
    return undefined
  },
}

export const logout: Command = {
  name: 'logout',
  arguments: [],
  sentence: 'Forget the key on this machine. It stays valid until you delete it under API keys.',
  run: async ({ terminal }) => {
    await forgetSignIn(terminal.env)
    return undefined
  },
}

export const whoami: Command = {
  name: 'whoami',
  arguments: [],
  sentence: 'Who is signed in, and where.',
  run: async ({ client, terminal }) => {
    const connected = await client()
    const { name, email } = await whoIs(connected)
    terminal.say(`${name} (${email}) at ${connected.origin}`)
    return undefined
  },
}
