/** A person with an account and an API key on the server under test. */

export interface BenchPerson {
  id: string
  token: string
  key: string
}

/** `ip` counts only where the server trusts this machine as a proxy: registrations are limited by address. */
export const signUp = async (
  url: string,
  { email = 'bench@example.test', ip = '127.0.0.1' } = {},
): Promise<BenchPerson> => {
  const post = async <Reply>(path: string, body: object, headers: Record<string, string> = {}): Promise<Reply> => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip, ...headers },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as Reply
  }
  const person = { name: 'Bench', email, password: 'a perfectly fine passphrase' }
  const { token, user } = await post<{ token: string; user: { id: string } }>('/api/auth/register', person)
  const authorization = { authorization: `Bearer ${token}` }
  const { key } = await post<{ key: string }>('/api/v1/api-keys', { name: 'bench' }, authorization)
  return { id: user.id, token, key }
}
