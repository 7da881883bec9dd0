/** The entry of the engine's process: one opened model, run by llama.cpp. host.ts starts it. */
import { openInProcess } from '../in-process.ts';
import { serve } from './serve.ts';

serve(openInProcess);
