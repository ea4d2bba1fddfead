/** Examples in the documents agree with the server's replies and needs. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { Me } from '../contract/src/accounts/accounts.ts'

const read = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8')

it("the README's account has every field that the reply has, in the same order", async () => {
  const [, shown = ''] = /returns your account:\s+```json\n(.*?)```/s.exec(await read('README.md')) ?? []
  expect(Object.keys(JSON.parse(shown))).toEqual(Object.keys(Me.shape))
})

it('the nginx example lets every path and every body through to the server, unbuffered and with sockets', async () => {
  const [, block = ''] = /```nginx\n(.*?)```/s.exec(await read('docs/OPERATIONS.md')) ?? []
  expect(block.match(/^ *location .*$/gm)).toEqual(['location / {'])
  const lines = block.split('\n').map((line) => line.replace(/#.*/, '').trim())
  for (const line of [
    'client_max_body_size 0;',
    'proxy_request_buffering off;',
    'proxy_buffering off;',
    'proxy_cache off;',
    'proxy_set_header Upgrade $http_upgrade;',
    'proxy_set_header Connection $connection_upgrade;',
  ])
    expect(lines).toContain(line)
})
