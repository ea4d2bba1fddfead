import { describe, expect, it } from 'vitest'
import { testApp } from '../harness/app.ts'
import { type Person, password } from '../harness/people.ts'
import { hasBrowser, visit } from './browser.ts'

const app = await testApp({ env: { ENABLE_OAUTH_PERSISTENT_CONFIG: 'true' } })

const signedIn = (person: Person, path: string) => visit(app.url + path, { as: person })

describe.runIf(hasBrowser)('the organization of an administrator', () => {
  it('invites somebody, who accepts in another browser and then stands among the members', async () => {
    const admin = await app.user({ name: 'Bohdan Kovalenko', org: 'Aldgate Paper Company' })
    const { page, inspect, problems } = await signedIn(admin, '/organization/members')
    await page.getByRole('button', { name: 'Invite people' }).click()
    await page.getByLabel('Email').fill('chloe@aldgate.test')
    await inspect('organization-invite')
    await page.getByRole('button', { name: 'Send invitation' }).click()
    await page.getByRole('row', { name: /chloe@aldgate.test.*Pending/ }).waitFor()
    await inspect('organization-members')

    const letter = await app.letterTo('chloe@aldgate.test')
    const link = letter.link()
    const guest = await visit(`${app.url}${link}`)
    await guest.page.getByRole('heading', { name: 'Join Aldgate Paper Company' }).waitFor()
    await guest.inspect('accept-invite')
    await guest.page.getByLabel('Your name').fill('Chloe Martin')
    await guest.page.getByLabel('Password', { exact: true }).fill(password)
    await guest.page.getByRole('button', { name: 'Join Aldgate Paper Company' }).click()
    await guest.page.waitForURL('**/home')

    await page.reload()
    await page.getByRole('row', { name: /Chloe Martin/ }).waitFor()
    await page.getByText('No pending invitations').waitFor()
    await guest.page.goto(`${app.url}${link}`)
    await guest.page.getByRole('heading', { name: 'This invitation is invalid or has expired' }).waitFor()
    expect(problems).toEqual([])
  })

  it('shows a plain member who the colleagues are, and nothing to change', async () => {
    await app.user({ name: 'Lena Ostrow', org: 'Ostrow Glass' })
    const member = await app.user({ name: 'Milan Kral', org: 'Ostrow Glass' })
    const { page } = await signedIn(member, '/organization/members')
    await page.getByRole('listitem').filter({ hasText: 'Lena Ostrow' }).getByText('Admin').waitFor()
    expect(await page.getByRole('navigation', { name: 'Organization' }).count()).toBe(0)
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  })

  it('says of a link that is no invitation what to do about it', async () => {
    const { page } = await visit(`${app.url}/accept-invite?token=nothing`)
    await page.getByRole('heading', { name: 'This invitation is invalid or has expired' }).waitFor()
  })

  it('changes roles, but says plainly that the last administrator must stay', async () => {
    const admin = await app.user({ name: 'Dora Wills', org: 'Wills and Sons' })
    const member = await app.user({ name: 'Emil Novak', org: 'Wills and Sons' })
    const { page, inspect } = await signedIn(admin, '/organization/members')
    const act = async (email: string, action: string) => {
      await page.getByRole('button', { name: `Actions for ${email}` }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }
    await act(admin.email, 'Deactivate')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Deactivate' }).click()
    await dialog.getByText("You can't remove the last active admin.").waitFor()
    await inspect('organization-last-admin')
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await act(member.email, 'Make admin')
    await page.getByRole('row', { name: /Emil Novak.*Organization admin/ }).waitFor()
    expect(await member.get('/api/auth/me')).toMatchObject({ body: { role: 'ROLE_ORG_ADMIN' } })

    await act(member.email, 'Deactivate')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
    await page.getByRole('row', { name: /Emil Novak.*Deactivated/ }).waitFor()
    expect((await member.get('/api/auth/me')).status).toBe(401)
    await act(member.email, 'Reactivate')
    await page.getByRole('row', { name: /Emil Novak.*Active/ }).waitFor()
  })

  it('makes a group with people in it, renames it and deletes it', async () => {
    const admin = await app.user({ name: 'Femi Ade', org: 'Ade Shipping' })
    await app.user({ name: 'Greta Lund', org: 'Ade Shipping' })
    const { page, inspect } = await signedIn(admin, '/organization/groups')
    await page.getByText('No groups yet').waitFor()
    await page.getByRole('button', { name: 'New group' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('Contracts')
    await page.getByRole('checkbox', { name: /Greta Lund/ }).check()
    await inspect('organization-group')
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByRole('row', { name: /Contracts.*1 person/ }).waitFor()
    await inspect('organization-groups')

    await page.getByRole('button', { name: 'Actions for Contracts' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Charters')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Actions for Charters' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete group' }).click()
    await page.getByText('No groups yet').waitFor()
    expect(await admin.get('/api/org/groups')).toMatchObject({ body: { total: 0 } })
  })

  it('shows the plan, and becomes read-only when the trial is over', async () => {
    const admin = await app.user({ name: 'Hana Sato', org: 'Sato Prints' })
    const { page, inspect } = await signedIn(admin, '/organization')
    await page.getByRole('meter', { name: 'Seats' }).waitFor()
    await inspect('organization-overview')
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.waitForURL('**/organization/sign-in')
    const ended = new Date(Date.now() - 86_400_000)
    await app.db.updateTable('organizations').set({ trialEndsAt: ended }).where('name', '=', 'Sato Prints').execute()
    await page.goto(`${app.url}/organization/members`)
    await page.getByText('Your trial has ended').waitFor()
    await page.getByText(admin.email).first().waitFor()
    expect(await page.getByRole('button', { name: 'Invite people' }).count()).toBe(0)
  })
})

describe.runIf(hasBrowser)('how an organization signs in', () => {
  it('connects a directory, tries it step by step, and keeps its password to itself', async () => {
    const admin = await app.user({ name: 'Ines Roca', org: 'Roca Maps' })
    const { page, inspect } = await signedIn(admin, '/organization/sign-in')
    await page.getByText('Company login isn’t set up on this instance.').waitFor()
    await inspect('organization-sign-in')
    await page.getByRole('button', { name: 'Connect directory' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByText('Enter a base DN.').waitFor()
    const server = dialog.getByLabel('Server URL')
    await expect.poll(() => server.evaluate((field) => field === document.activeElement)).toBe(true)
    await server.fill('ldap://127.0.0.1:9')
    await dialog.getByText('Enter a base DN.').waitFor({ state: 'detached' })
    await dialog.getByLabel('Server URL').fill('ldap://127.0.0.1:9')
    await dialog.getByLabel('Bind DN').fill('cn=reader,dc=example,dc=test')
    await dialog.getByLabel('Bind password').fill('a secret nobody sees')
    await dialog.getByLabel('Base DN').fill('dc=example,dc=test')
    await dialog.getByRole('button', { name: 'Add group' }).click()
    await dialog.getByLabel('Group DN').fill('cn=admins,dc=example,dc=test')
    await dialog.getByRole('button', { name: 'Test connection' }).click()
    await dialog.getByRole('region', { name: 'Test result' }).getByRole('listitem').first().waitFor()
    await inspect('organization-directory')
    await dialog.getByRole('button', { name: 'Save directory' }).click()
    await page.getByText('ldap://127.0.0.1:9').waitFor()

    const saved = await admin.get('/api/org/ldap')
    expect(saved).toMatchObject({ status: 200, body: { startTls: true, hasBindPassword: true } })
    expect(saved.text).not.toContain('a secret nobody sees')
    await page.getByRole('button', { name: 'Edit directory' }).click()
    expect(await page.getByRole('dialog').getByLabel('Bind password').inputValue()).toBe('')
  })

  it('asks everybody for a code once that is switched on, and takes a new name', async () => {
    const admin = await app.user({ name: 'Jan Maas', org: 'Maas' })
    const { page } = await signedIn(admin, '/organization')
    await page.getByLabel('Organization name').fill('Maas and Daughters')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByRole('heading', { name: 'Maas and Daughters' }).waitFor()
    await page.goto(`${app.url}/organization/sign-in`)
    await page.getByRole('switch', { name: 'Require a login code' }).click()
    const reply = () => app.newcomer().post('/api/auth/login', { email: admin.email, password })
    await expect.poll(async () => (await reply()).body.otpRequired).toBe(true)
  })

  it('says on the sign-in page why a login elsewhere came to nothing', async () => {
    const { page } = await visit(`${app.url}/sign-in?problem=sso_failed`)
    await page.getByText('Company login failed. Try again.').waitFor()
    await page.goto(`${app.url}/sign-in?problem=constructor`)
    await page.getByLabel('Email').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })
})

describe.runIf(hasBrowser)('the platform console', () => {
  it('edits an organization, shows a user’s sign-ins and saves a setting', async () => {
    const owner = await app.platformOwner()
    const admin = await app.user({ name: 'Kaya Demir', org: 'Demir Textiles' })
    const { page, inspect } = await visit(`${app.url}/platform/sign-in?return_to=/platform/organizations`)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('link', { name: 'Demir Textiles' }).click()
    await page.getByLabel('Plan', { exact: true }).fill('TEAM')
    await page.getByLabel('Members', { exact: true }).fill('42')
    await page.getByLabel('Email domains').fill('demir.test')
    await page.getByRole('button', { name: 'Save organization' }).click()
    await page.getByText('Demir Textiles saved').waitFor()
    await inspect('platform-organization')
    expect(await admin.get('/api/org/me')).toMatchObject({ body: { plan: { name: 'TEAM', limits: { members: 42 } } } })

    await page.goto(`${app.url}/platform/users?search=Kaya`)
    await page.getByRole('link', { name: 'Kaya Demir' }).click()
    await page.getByRole('table', { name: 'Sign-ins' }).getByText('Active').first().waitFor()
    await inspect('platform-user')

    await page.goto(`${app.url}/platform/settings`)
    await page.getByLabel('Search settings').fill('first sign-in')
    await page.getByRole('heading', { name: 'Events' }).waitFor({ state: 'detached' })
    await page.getByRole('switch', { name: 'Create accounts on first sign-in' }).click()
    await page.getByRole('button', { name: 'Reset to environment: Create accounts on first sign-in' }).waitFor()
    await inspect('platform-settings')
    const settings = async () => (await owner.get('/api/v1/configs')).body.items
    expect(await settings()).toContainEqual(
      expect.objectContaining({ key: 'oauth.enable_signup', value: true, source: 'database' }),
    )
    await page.getByRole('button', { name: 'Reset to environment: Create accounts on first sign-in' }).click()
    await expect
      .poll(async () => (await settings()).find(({ key }: { key: string }) => key === 'oauth.enable_signup').source)
      .not.toBe('database')
  })
})
