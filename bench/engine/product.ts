/**
 * The engine as it is shipped: the code in dist/, which finds its addons and its worker's program where they lie. Only the
 * types are those of src/.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';

type Engine = typeof import('../../src/native/engine.ts');
type InProcess = typeof import('../../src/native/in-process.ts');
type Models = typeof import('../../src/model/index.ts');

export type Product = Pick<Engine, 'engineAddon'> &
  Pick<InProcess, 'openInProcess'> &
  Pick<Models, 'LocalModel' | 'describeThreads' | 'openModel'>;

export async function loadProduct(root: string): Promise<Product> {
  const built = (file: string) => import(pathToFileURL(path.join(root, 'dist', file)).href);
  const { engineAddon } = (await built('native/engine.js')) as Engine;
  const { openInProcess } = (await built('native/in-process.js')) as InProcess;
  const { LocalModel, describeThreads, openModel } = (await built('model/index.js')) as Models;
  return { engineAddon, openInProcess, LocalModel, describeThreads, openModel };
}
