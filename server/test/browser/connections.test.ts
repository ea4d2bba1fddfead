import { describe, expect, it } from 'vitest'
import type { Person } from '../harness/people.ts'
import { startModelProvider } from '../peers/model-provider.ts'
import { hasBrowser, type Visit, visit } from './browser.ts'
import { browserApp } from './browser-app.ts'

const provider = await startModelProvider({ models: ['swift', 'wise', 'wise-mini'], key: 'sk-peer' })
const ofEnvironment = await startModelProvider({ models: ['cellar'] })
const app = await browserApp({ env: { COMPAT_API_BASE_URL: ofEnvironment.url } })

type Console = Pick<Visit, 'page' | 'inspect'> & { owner: Person }

describe.runIf(hasBrowser)('connections in the console', () => {
  it('are tried before they are saved, keep their key, and are turned off; their models are renamed and kept for some', async () => {
    const owner = await app.platformOwner()
    const made = await owner.post('/api/v1/connections', { type: 'compat', name: 'Passing', url: provider.url })
    expect(made.status).toBe(201)
    const { page, inspect, problems } = await visit(`${app.url}/platform/connections`, { as: owner })
    await addConnection({ page, inspect, owner })
    await changeConnections({ page, inspect, owner })
    expect((await owner.get(`/api/v1/connections/${made.body.id}`)).status).toBe(404)
    await page.getByRole('link', { name: 'Models', exact: true }).click()
    await restrictModel({ page, inspect, owner })
    expect(problems).toEqual([])
  })
})

const addConnection = async ({ page, inspect, owner }: Console): Promise<void> => {
  await page.getByRole('row', { name: /Environment.*127\.0\.0\.1/ }).waitFor()
  await page.getByRole('button', { name: 'New connection' }).click()
  const dialog = page.getByRole('dialog', { name: 'New connection' })
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await dialog.getByText('Enter a valid URL').waitFor()
  const name = dialog.getByLabel('Name')
  await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
  await name.fill('Aldgate provider')
  await dialog.getByText('Enter a valid URL').waitFor({ state: 'detached' })
  await dialog.getByLabel('URL').fill('not an address')
  await dialog.getByRole('button', { name: 'Add connection' }).click()
  await dialog.getByText('Enter a valid URL').waitFor()
  await dialog.getByLabel('URL').fill(provider.url)
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  const result = dialog.getByRole('region', { name: 'Test result' })
  await result.getByText('Connection failed').waitFor()

  await dialog.getByLabel('API key').fill('sk-peer')
  await result.waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await result.getByText('swift, wise, wise-mini').waitFor()
  await dialog.getByText('Selected models').click()
  await dialog.getByRole('checkbox', { name: 'swift' }).check()
  await dialog.getByRole('checkbox', { name: 'wise', exact: true }).check()
  await dialog.getByText('Prices').click()
  await dialog.getByText('In USD per million tokens').waitFor()
  await dialog.getByLabel('Input price of swift').fill('0.15')
  await dialog.getByRole('button', { name: 'Add connection' }).click()
  await dialog.getByText('Enter a number.').waitFor()
  await dialog.getByLabel('Output price of swift').fill('0.6')
  await inspect('platform-connection')
  await dialog.getByRole('button', { name: 'Add connection' }).click()
  const row = page.getByRole('row', { name: /Aldgate provider/ })
  await row.waitFor()
  await expect
    .poll(async () => (await owner.get('/api/v1/connections')).body.items.at(-1).health.state, { timeout: 30_000 })
    .toBe('well')

  const listed = await owner.get('/api/v1/connections')
  expect(listed.text).not.toContain('sk-peer')
  const prices = { swift: { input: 0.15, output: 0.6 } }
  expect(listed.body.items.at(-1)).toMatchObject({ has_key: true, model_ids: ['swift', 'wise'], prices })
}

/** Those of the environment can be looked at, others be turned off and deleted. */
const changeConnections = async ({ page, inspect }: Console): Promise<void> => {
  await page
    .getByRole('row', { name: /Environment/ })
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: 'View' }).click()
  await page.getByText('This connection is defined by an environment variable.').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Actions for Passing' }).click()
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await page.getByRole('row', { name: /Passing.*\bOff\b/ }).waitFor()
  await page
    .getByRole('row', { name: /Aldgate provider/ })
    .getByText('Healthy')
    .waitFor()
  await inspect('platform-connections')
  await page.getByRole('button', { name: 'Actions for Passing' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete connection' }).click()
  await page.getByText('Connection “Passing” deleted').waitFor()
}

/** For an organization and a group. */
const restrictModel = async ({ page, inspect }: Console): Promise<void> => {
  const inside = await app.user({ name: 'Ana Pereira', org: 'Aldgate Paper Company' })
  const [lead, rest] = [
    await app.user({ name: 'Paula Reyes', org: 'Northgate Mills' }),
    await app.user({ name: 'Ivo Lang', org: 'Northgate Mills' }),
  ]
  await lead.post('/api/org/groups', { name: 'Night shift', memberIds: [lead.id] })
  const outside = await app.user({ name: 'Ben Short' })
  await page.getByRole('button', { name: 'cellar', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('The cellar')
  await dialog.getByText('Specific people').click()
  await dialog.getByRole('combobox', { name: /Add a person/ }).fill('Aldgate')
  await dialog.getByRole('option', { name: /Aldgate Paper Company/ }).click()
  await dialog.getByRole('combobox', { name: /Add a person/ }).fill('night')
  await dialog.getByRole('option', { name: /Night shift.*Northgate Mills/ }).click()
  const granted = dialog.getByRole('list', { name: 'Access list' })
  await granted.getByText('Aldgate Paper Company').waitFor()
  await granted.getByText('Night shift, Northgate Mills').waitFor()
  await inspect('platform-model')
  await dialog.getByRole('button', { name: 'Save model' }).click()
  await page.getByRole('row', { name: /The cellar.*Shared with 2/ }).waitFor()
  await inspect('platform-models')
  const names = async (person: typeof inside) =>
    (await person.get('/api/models')).body.data.map(({ name }: { name: string }) => name)
  expect(await names(inside)).toContain('The cellar')
  expect(await names(lead)).toContain('The cellar')
  for (const other of [outside, rest]) expect(await names(other)).not.toContain('The cellar')

  await page.getByRole('button', { name: 'Actions for The cellar' }).click()
  await page.getByRole('menuitem', { name: 'Turn off' }).click()
  await page.getByRole('row', { name: /The cellar.*\bOff\b/ }).waitFor()
  expect(await names(inside)).not.toContain('The cellar')
  await page.getByRole('button', { name: 'Actions for The cellar' }).click()
  await page.getByRole('menuitem', { name: 'Reset' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Reset model' }).click()
  await page.getByRole('row', { name: /cellar.*Everyone/ }).waitFor()
  expect(await names(outside)).toContain('cellar')
}

describe.runIf(hasBrowser)('models', () => {
  it('are made by people for themselves and for colleagues', async () => {
    const maker = await app.user({ name: 'Dora Wills', org: 'Wills and Sons' })
    const colleague = await app.user({ name: 'Emil Novak', org: 'Wills and Sons' })
    const { page, inspect, problems } = await visit(`${app.url}/account/models`, { as: maker })
    await page.getByText('No custom models yet').waitFor()
    await page.getByRole('button', { name: 'New model' }).click()
    const dialog = page.getByRole('dialog', { name: 'New model' })
    await dialog.getByLabel('Name').fill('Contract reader')
    expect(await dialog.getByLabel('ID', { exact: true }).inputValue()).toBe('contract-reader')
    await dialog.getByLabel('Base model').selectOption('guide')
    await dialog.getByLabel('System prompt').fill('Read closely, and quote.')
    await dialog.getByText('Parameters', { exact: true }).click()
    await dialog.getByLabel('Temperature').fill('warm')
    await dialog.getByRole('button', { name: 'Create model' }).click()
    await dialog.getByText('Enter a number.').waitFor()
    await dialog.getByLabel('Temperature').fill('0.2')
    await dialog.getByRole('combobox', { name: /Add a person/ }).fill('emil')
    await dialog.getByRole('option', { name: /Emil Novak/ }).click()
    await inspect('account-model')
    await dialog.getByRole('button', { name: 'Create model' }).click()
    await page.getByRole('row', { name: /Contract reader.*Shared with 1/ }).waitFor()
    await inspect('account-models')
    const { body } = await colleague.get('/api/v1/models/model?id=contract-reader')
    expect(body).toMatchObject({ name: 'Contract reader', base_model_id: 'guide', params: { temperature: 0.2 } })
    expect(problems).toEqual([])
  })
})
