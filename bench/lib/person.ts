/** A person with an account and an API key on the server under test. */

export interface BenchPerson {
  token: string
  key: string
}

export const signUp = async (url: string): Promise<BenchPerson> => {
  const post = async (path: string, body: object, headers: Record<string, string> = {}) => {
    const reply = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return (await reply.json()) as Record<string, string>
  }
  const person = { name: 'Bench', email: 'bench@example.test', password: 'a perfectly fine passphrase' }
  const { token = '' } = await post('/api/auth/register', person)
  const { key = '' } = await post('/api/v1/api-keys', { name: 'bench' }, { authorization: `Bearer ${token}` })
  return { token, key }
}
